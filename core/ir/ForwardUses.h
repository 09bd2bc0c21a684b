//===- ForwardUses.h - values used before the region that defines them ----------------------------------===//
//
// What: follows the names of values through the regions of a text, and notices when an operation uses a name
// that only its own region (or one further inside) defines, and names that no region around their use
// defines. Why: MLIR's parser first makes a stand-in for such an operand. It frees it when the region defines
// the name, but goes on using it for the operation; and it lets another function, or another region of this
// one, define the name, and if there is an error after that it destroys the definition and then what uses it.
// Limits: sees tokens, not grammar.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_IR_FORWARDUSES_H
#define TRISECT_CORE_IR_FORWARDUSES_H

#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace trisect::tt {

class ForwardUses {
public:
  /// `at`: where in the text.
  void use(std::string_view name, size_t at);
  /// False if an enclosing region, or one inside it and beside this one, has used the name already.
  bool define(std::string_view name);
  /// A name that a statement gives to its result; false if one that is still open, or around it, gave it
  /// already. After an error about a second definition MLIR's parser uses what it has freed.
  bool assign(std::string_view name);
  /// A name that an operation's header gives to its region: a loop's counter, carried values, arguments.
  void defineInNextRegion(std::string_view name) { header.push_back(name); }
  /// A brace opens; false if the header has used a name that it defines for the region.
  bool open();
  /// A brace closes. The place of the first use of a name that is not defined, if this was all that could
  /// have defined it: the brace of a function.
  std::optional<size_t> close();

private:
  struct Region {
    std::unordered_set<std::string_view> defined, usedBefore, assigned;
    std::vector<std::string_view> fromHeader;
    std::unordered_map<std::string_view, size_t> waiting; ///< used, and not defined so far: where
    bool hasValues = false;                               ///< a dictionary has none
  };
  bool isDefined(std::string_view name) const;

  std::vector<Region> regions = std::vector<Region>(1);
  std::vector<std::string_view> header;
};

} // namespace trisect::tt

#endif // TRISECT_CORE_IR_FORWARDUSES_H
