//===- CorpusPlan.cpp - ways to make up arguments -------------------------------------------------------===//
#include "interp/tools/CorpusPlan.h"

namespace trisect::tools {

std::string CorpusPlan::text() const {
  static constexpr const char *ofIntegers[] = {"one size",       "rows",    "rows with a unit stride",
                                               "rows of blocks", "size 16", "size 1"};
  static constexpr const char *ofData[] = {"small numbers", "positive numbers", "indices", "bits", "zeros"};
  return std::string(ofIntegers[static_cast<int>(integers)]) + ", " + ofData[static_cast<int>(data)] +
         (programs == 1 ? ", one program" : "");
}

const std::vector<CorpusPlan> &CorpusPlan::all() {
  static const std::vector<CorpusPlan> plans = [] {
    std::vector<CorpusPlan> made;
    // Bits and zeros last: equal numbers hide that programs write to one place.
    for (Data data : {Data::Small, Data::Positive, Data::Index, Data::Bits, Data::Zero})
      for (int programs : {2, 1})
        for (Integers integers : {Integers::OneSize, Integers::Rows, Integers::UnitRows, Integers::BlockRows,
                                  Integers::SmallSize, Integers::One})
          made.push_back({integers, data, programs});
    return made;
  }();
  return plans;
}

} // namespace trisect::tools
