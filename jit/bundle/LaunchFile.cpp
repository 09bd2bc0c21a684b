//===- LaunchFile.cpp - arguments, views and pages as JSON ----------------------------------------------===//
#include "jit/bundle/LaunchFile.h"
#include "core/support/Outcome.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <algorithm>
#include <limits>

namespace trisect::jit {

namespace json = llvm::json;

namespace {
constexpr int64_t fileVersion = 1;

std::string hex(uint64_t value) { return llvm::formatv("{0:x}", value).str(); }

template <class Numbers> json::Array listOf(const Numbers &numbers) {
  json::Array list;
  for (auto number : numbers)
    list.push_back(static_cast<int64_t>(number));
  return list;
}

json::Object textsOf(const std::map<std::string, std::string> &texts) {
  json::Object object;
  for (const auto &[key, value] : texts)
    object[key] = value;
  return object;
}

json::Array viewsOf(const std::vector<TensorView> &views) {
  json::Array list;
  for (const TensorView &view : views)
    list.push_back(json::Object{{"argument", static_cast<int64_t>(view.argument)},
                                {"name", view.name},
                                {"address", hex(view.address)},
                                {"type", std::string(name(view.type))},
                                {"shape", listOf(view.shape)},
                                {"strides", listOf(view.strides)},
                                {"signed", view.isSigned}});
  return list;
}

json::Array descriptorsOf(const std::map<size_t, DescriptorArg> &descriptors) {
  json::Array list;
  for (const auto &[n, descriptor] : descriptors)
    list.push_back(json::Object{{"argument", static_cast<int64_t>(n)},
                                {"address", hex(descriptor.address)},
                                {"rank", descriptor.rank},
                                {"padding", descriptor.padding},
                                {"shape", listOf(descriptor.shape)},
                                {"strides", listOf(descriptor.strides)}});
  return list;
}

/// Reads members that must be there.
class Reader {
public:
  explicit Reader(const json::Object &object) : object(object) {}

  std::string text(llvm::StringRef key) const { return need(key, object.getString(key)).str(); }
  int64_t number(llvm::StringRef key) const { return need(key, object.getInteger(key)); }
  uint64_t address(llvm::StringRef key) const { return addressFrom(text(key)); }
  std::vector<int64_t> numbers(llvm::StringRef key) const {
    std::vector<int64_t> list;
    for (const json::Value &value : array(key))
      list.push_back(need(key, value.getAsInteger()));
    return list;
  }
  std::map<std::string, std::string> texts(llvm::StringRef key) const {
    std::map<std::string, std::string> all;
    for (const auto &[name, value] :
         *need(key, object.getObject(key) ? std::optional(object.getObject(key)) : std::nullopt))
      all[llvm::StringRef(name).str()] = need(key, value.getAsString()).str();
    return all;
  }
  const json::Array &array(llvm::StringRef key) const {
    const json::Array *list = object.getArray(key);
    return *need(key, list ? std::optional(list) : std::nullopt);
  }
  std::vector<Reader> objects(llvm::StringRef key) const {
    std::vector<Reader> list;
    for (const json::Value &value : array(key)) {
      const json::Object *each = value.getAsObject();
      list.emplace_back(*need(key, each ? std::optional(each) : std::nullopt));
    }
    return list;
  }
  bool has(llvm::StringRef key) const { return object.get(key); }
  bool flag(llvm::StringRef key) const { return need(key, object.getBoolean(key)); }

  static uint64_t addressFrom(const std::string &text) {
    uint64_t value = 0;
    if (llvm::StringRef(text).getAsInteger(0, value))
      throw InvalidInput("launch.json: '" + text + "' is no address");
    return value;
  }

private:
  template <class T> static T need(llvm::StringRef key, std::optional<T> value) {
    if (!value)
      throw InvalidInput("launch.json has no good '" + key.str() + "'");
    return *value;
  }
  const json::Object &object;
};

template <class Array> void fill(Array &array, const std::vector<int64_t> &numbers) {
  for (size_t n = 0; n < std::size(array) && n < numbers.size(); ++n)
    array[n] = numbers[n];
}

DType typeNamed(const std::string &text) {
  for (int n = 0; n < numDTypes; ++n)
    if (name(static_cast<DType>(n)) == text)
      return static_cast<DType>(n);
  throw InvalidInput("launch.json: '" + text + "' is no type");
}

json::Object evidenceObject(const Evidence &evidence) {
  json::Array args, pages;
  for (ArgBits bits : evidence.args)
    args.push_back(hex(bits));
  for (const EvidencePage &page : evidence.pages)
    pages.push_back(json::Object{{"address", hex(page.address)}, {"found", !page.found.empty()}});
  return json::Object{
      {"grid", json::Array{evidence.grid.x, evidence.grid.y, evidence.grid.z}},
      {"programs", json::Array{evidence.programs.first, evidence.programs.count}},
      {"arguments", std::move(args)},
      {"descriptors", descriptorsOf(evidence.descriptors)},
      {"tensors", viewsOf(evidence.tensors)},
      {"pages", std::move(pages)},
  };
}

/// Refuses what no launch is like: it would be run, and mapped.
void check(const Evidence &evidence) {
  auto need = [](bool holds, const char *what) {
    if (!holds)
      throw InvalidInput(std::string("launch.json: ") + what);
  };
  const ProgramRange &programs = evidence.programs;
  const Grid &grid = evidence.grid;
  need(grid.x > 0 && grid.y > 0 && grid.z > 0 &&
           int64_t(grid.x) * grid.y <= std::numeric_limits<int64_t>::max() / grid.z,
       "the grid is empty, or too large");
  need(programs.first >= 0 && programs.count > 0 && programs.first < grid.programs() &&
           programs.count <= grid.programs() - programs.first,
       "the grid has no such programs");
  for (const auto &[argument, descriptor] : evidence.descriptors)
    need(argument < evidence.args.size() && descriptor.rank >= 0 &&
             static_cast<size_t>(descriptor.rank) <= std::size(descriptor.shape),
         "a descriptor is of no argument, or of no rank");
  for (const TensorView &view : evidence.tensors)
    need(view.argument < evidence.args.size() && view.shape.size() == view.strides.size() &&
             std::all_of(
                 view.shape.begin(), view.shape.end(), [](int64_t extent) { return extent >= 0; }),
         "a tensor is of no argument, or of no shape");
  uint64_t last = 0;
  for (const EvidencePage &page : evidence.pages) {
    need(page.address > last && page.address % interp::Overlay::pageBytes == 0,
         "addresses of pages are not whole or not in order");
    last = page.address;
  }
}

Evidence evidenceFrom(const Reader &reader) {
  Evidence evidence;
  std::vector<int64_t> grid = reader.numbers("grid"), programs = reader.numbers("programs");
  if (grid.size() != 3 || programs.size() != 2)
    throw InvalidInput("launch.json: a grid has three numbers, a range of programs two");
  evidence.grid = {static_cast<int32_t>(grid[0]), static_cast<int32_t>(grid[1]),
                   static_cast<int32_t>(grid[2])};
  evidence.programs = {programs[0], programs[1]};
  for (const json::Value &bits : reader.array("arguments"))
    evidence.args.push_back(Reader::addressFrom(bits.getAsString().value_or("").str()));
  for (const Reader &each : reader.objects("descriptors")) {
    DescriptorArg &made = evidence.descriptors[static_cast<size_t>(each.number("argument"))];
    made.address = each.address("address");
    made.rank = static_cast<int32_t>(each.number("rank"));
    made.padding = static_cast<int32_t>(each.number("padding"));
    fill(made.shape, each.numbers("shape"));
    fill(made.strides, each.numbers("strides"));
  }
  for (const Reader &each : reader.objects("tensors"))
    evidence.tensors.push_back({static_cast<unsigned>(each.number("argument")), each.text("name"),
                                each.address("address"), typeNamed(each.text("type")), each.numbers("shape"),
                                each.numbers("strides"), each.has("signed") ? each.flag("signed") : true});
  for (const Reader &each : reader.objects("pages"))
    evidence.pages.push_back({each.address("address"), "", "", "", each.flag("found") ? "?" : ""});
  check(evidence);
  return evidence;
}
} // namespace

std::string launchText(const Bundle &bundle, const std::string &digest) {
  json::Object object{{"format", fileVersion},
                      {"kernel", bundle.kernel},
                      {"tier", bundle.tier},
                      {"form", bundle.form == Form::Disjoint ? "disjoint" : "any"},
                      {"options", textsOf(bundle.options)},
                      {"versions", textsOf(bundle.versions)},
                      {"sentence", bundle.sentence},
                      {"digest", digest}};
  if (bundle.evidence)
    object["launch"] = evidenceObject(*bundle.evidence);
  return llvm::formatv("{0:2}\n", json::Value(std::move(object))).str();
}

Bundle launchFrom(const std::string &text, std::string &digest) {
  llvm::Expected<json::Value> parsed = json::parse(text);
  if (!parsed)
    throw InvalidInput("launch.json: " + llvm::toString(parsed.takeError()));
  const json::Object *object = parsed->getAsObject();
  if (!object)
    throw InvalidInput("launch.json holds no object");
  Reader reader(*object);
  if (reader.number("format") != fileVersion)
    throw InvalidInput("launch.json has another format than this version reads");
  Bundle bundle;
  bundle.kernel = reader.text("kernel");
  bundle.tier = reader.text("tier");
  bundle.form = reader.text("form") == "disjoint" ? Form::Disjoint : Form::Any;
  bundle.options = reader.texts("options");
  bundle.versions = reader.texts("versions");
  bundle.sentence = reader.text("sentence");
  digest = reader.text("digest");
  if (const json::Object *launch = object->getObject("launch"))
    bundle.evidence = evidenceFrom(Reader(*launch));
  return bundle;
}

} // namespace trisect::jit
