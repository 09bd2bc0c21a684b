//===- Report.cpp - facts as JSON and as lines ----------------------------------------------------------===//
#include "jit/bundle/Report.h"
#include "jit/check/Compare.h"
#include "jit/check/Element.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

namespace trisect::jit {

namespace json = llvm::json;

namespace {
constexpr size_t mostValues = 64;

json::Array listOf(const std::vector<int64_t> &numbers) {
  json::Array list;
  for (int64_t number : numbers)
    list.push_back(number);
  return list;
}

json::Array programId(int64_t linear, const Grid &grid) {
  return json::Array{linear % grid.x, linear / grid.x % grid.y, linear / grid.x / grid.y};
}

json::Value ulpOf(const std::optional<uint64_t> &ulp) {
  return ulp ? json::Value(static_cast<int64_t>(*ulp)) : json::Value(nullptr);
}

json::Object objectOf(const LocatedOp &op) {
  return json::Object{{"op", op.name},
                      {"ttir", op.text},
                      {"number", static_cast<int64_t>(op.op)},
                      {"file", op.position.file},
                      {"line", op.position.line},
                      {"column", op.position.column}};
}

json::Object objectOf(const Location &location, const std::string &tier) {
  json::Object object = objectOf(location.op);
  object["kind"] = std::string(locationKindName(location.kind));
  object["sentence"] = location.describe(tier);
  object["runs"] = location.runs;
  if (location.after)
    object["after"] = objectOf(*location.after);
  if (location.expected.empty())
    return object;
  json::Array operands, apart;
  for (const LocatedOperand &operand : location.operands)
    operands.push_back(json::Object{{"ttir", operand.text}, {"value", operand.value}});
  for (double each : location.apart)
    apart.push_back(each);
  object["execution"] = location.execution;
  object["shape"] = listOf(location.shape);
  object["index"] = listOf(location.index);
  object["expected"] = location.expected;
  object["found"] = location.found;
  object["ulp"] = ulpOf(location.ulp);
  object["operands"] = std::move(operands);
  object["apart"] = std::move(apart);
  return object;
}

/// The first elements whose bits differ, those that may differ among them.
json::Array valuesOf(const Evidence &evidence) {
  json::Array list;
  Tensors tensors(evidence.tensors);
  for (const EvidencePage &page : evidence.pages) {
    for (size_t at = 0; at < page.found.size() && list.size() < mostValues; ++at) {
      if (page.found[at] == page.expected[at])
        continue;
      Tensors::Element element = tensors.at(page.address + at);
      size_t size = byteSize(element.type), begin = element.address - page.address;
      if (element.address < page.address || begin + size > page.found.size())
        element.type = DType::I8, size = 1, begin = at;
      uint64_t want = readBits(page.expected.data() + begin, element.type),
               have = readBits(page.found.data() + begin, element.type);
      list.push_back(json::Object{
          {"tensor", element.view ? element.view->name : ""},
          {"address", llvm::formatv("{0:x}", page.address + begin).str()},
          {"index",
           listOf(element.view ? element.extent->indexOf(page.address + begin) : std::vector<int64_t>())},
          {"expected", element.text(want)},
          {"found", element.text(have)},
          {"ulp", ulpOf(ulpDistance(want, have, element.type))}});
      at = begin + size - 1;
    }
  }
  return list;
}

json::Object differenceOf(const Difference &first) {
  return json::Object{{"tensor", first.tensor}, {"index", listOf(first.index)}, {"expected", first.expected},
                      {"found", first.found},   {"ulp", ulpOf(first.ulp)},      {"stray", first.stray}};
}

json::Array tensorsOf(const Evidence &evidence) {
  json::Array list;
  for (const TensorView &view : evidence.tensors)
    list.push_back(json::Object{{"name", view.name},
                                {"type", std::string(name(view.type))},
                                {"shape", listOf(view.shape)},
                                {"strides", listOf(view.strides)}});
  return list;
}

json::Object textsOf(const std::map<std::string, std::string> &texts) {
  json::Object object;
  for (const auto &[key, value] : texts)
    object[key] = value;
  return object;
}
} // namespace

std::string reportJson(const Bundle &bundle) {
  json::Object report{{"kernel", bundle.kernel},
                      {"tier", bundle.tier},
                      {"sentence", bundle.sentence},
                      {"options", textsOf(bundle.options)},
                      {"versions", textsOf(bundle.versions)}};
  if (bundle.evidence) {
    const Evidence &evidence = *bundle.evidence;
    const Verdict &verdict = evidence.verdict;
    report["verdict"] = std::string(verdictName(verdict.kind));
    report["reason"] = verdict.reason;
    report["grid"] = json::Array{evidence.grid.x, evidence.grid.y, evidence.grid.z};
    report["program"] = programId(evidence.programs.first, evidence.grid);
    report["programs"] = evidence.programs.count;
    report["counts"] = json::Object{{"differing", verdict.differing},
                                    {"strays", verdict.strays},
                                    {"within", verdict.within},
                                    {"bytes", verdict.bytes},
                                    {"pages", static_cast<int64_t>(evidence.pages.size())}};
    report["tensors"] = tensorsOf(evidence);
    report["values"] = valuesOf(evidence);
    if (verdict.first)
      report["difference"] = differenceOf(*verdict.first);
  }
  if (bundle.location)
    report["location"] = objectOf(*bundle.location, bundle.tier);
  return llvm::formatv("{0:2}\n", json::Value(std::move(report))).str();
}

std::string reportText(const Bundle &bundle) {
  std::string text = bundle.sentence + "\n";
  if (bundle.location) {
    const Location &location = *bundle.location;
    text += "\n" + location.describe(bundle.tier) + "\n";
    if (!location.op.text.empty())
      text += "  " + location.op.text + "\n";
    for (const LocatedOperand &operand : location.operands)
      text += "  with " + operand.text + (operand.value.empty() ? "" : "  = " + operand.value) + "\n";
    text += "  found in " + std::to_string(location.runs) + (location.runs == 1 ? " run" : " runs") +
            " of the differing program\n";
  }
  text += "\n";
  for (const auto &[name, version] : bundle.versions)
    text += name + " " + version + "\n";
  return text + "\nto run it again: trisect replay DIR; to make it smaller: trisect shrink DIR;"
                " to find the pass: trisect bisect DIR\n";
}

} // namespace trisect::jit
