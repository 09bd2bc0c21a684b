//===- ForwardUses.h - values used before the region that defines them ----------------------------------===//
//
// What: follows the names of values through the regions of a text, and notices when an operation uses a name
// that only its own region (or one further inside) defines. Why: MLIR's parser first makes a stand-in for
// such an operand and frees it when the region defines the name, but goes on using it for the operation.
// Limits: sees tokens, not grammar. What it does not recognise as a definition counts as a use, which can
// only hide a fault, since names inside one function differ in every text that MLIR prints.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_IR_FORWARDUSES_H
#define TRISECT_CORE_IR_FORWARDUSES_H

#include <string_view>
#include <unordered_set>
#include <vector>

namespace trisect::tt {

class ForwardUses {
public:
  void use(std::string_view name);
  /// False if an enclosing region has used the name already.
  bool define(std::string_view name);
  /// A name that a statement gives to its result; false if one that is still open, or around it, gave it
  /// already. After an error about a second definition MLIR's parser uses what it has freed.
  bool assign(std::string_view name);
  /// A name that an operation's header gives to its region: a loop's counter, carried values, arguments.
  void defineInNextRegion(std::string_view name) { header.push_back(name); }
  /// A brace opens; false if the header has used a name that it defines for the region.
  bool open();
  void close();

private:
  struct Region {
    std::unordered_set<std::string_view> defined, usedBefore, assigned;
    std::vector<std::string_view> fromHeader;
    bool hasValues = false; ///< a dictionary has none
  };
  bool isDefined(std::string_view name) const;

  std::vector<Region> regions = std::vector<Region>(1);
  std::vector<std::string_view> header;
};

} // namespace trisect::tt

#endif // TRISECT_CORE_IR_FORWARDUSES_H
