//===- FormCache.cpp - keys, and what is done with them -------------------------------------------------===//
#include "jit/cache/FormCache.h"
#include "core/support/Hash.h"
#include "core/support/Options.h"
#include "jit/cache/SizeLimit.h"
#include <algorithm>
#include <array>

namespace trisect::jit {

namespace {
std::optional<StoredForm> read(const std::optional<std::string> &content, const std::string &key) {
  if (!content)
    return std::nullopt;
  try {
    StoredForm form = StoredForm::from(*content);
    return form.key == key ? std::optional(std::move(form)) : std::nullopt;
  } catch (const InvalidInput &) {
    return std::nullopt; // is made anew
  }
}
} // namespace

bool compilesAnew() {
  constexpr std::array flags = {OptionId::AlwaysCompile, OptionId::KernelOverride, OptionId::KernelDump,
                                OptionId::MlirTiming,    OptionId::LlvmIrDump,     OptionId::NvptxDump,
                                OptionId::LlvmTiming,    OptionId::DumpPtxasLog};
  constexpr std::array texts = {OptionId::Dump, OptionId::ReproducerPath, OptionId::MlirDiagnostics};
  std::string dump = optionText(OptionId::MlirDump);
  return (!dump.empty() && dump != "0") || std::ranges::any_of(flags, optionFlag) ||
         std::ranges::any_of(texts, [](OptionId id) { return !optionText(id).empty(); });
}

FormCache::FormCache(std::shared_ptr<Shelf> shelf, std::string_view text, std::string name,
                     KernelOptions options, std::string build)
    : shelf(std::move(shelf)), textDigest(hashBytes(text).hex()), name(std::move(name)),
      build(std::move(build)), options(std::move(options)) {}

std::string FormCache::key(const Target &target, Form form) const {
  std::unique_ptr<const TargetOptions> chosen = target.readOptions(options);
  auto compiled = options.find("artifact"); // code that was made before is a part of it
  return Hasher()
      .field(build)
      .field(textDigest)
      .field(name)
      .field(target.name())
      .field(target.isa(*chosen))
      .field(chosen->key)
      .field(compiled == options.end() ? "" : hashBytes(compiled->second).hex())
      .number(static_cast<uint64_t>(target.numerics()))
      .number(static_cast<uint64_t>(form))
      .finish()
      .hex();
}

std::string FormCache::nameOf(const Target &target, const std::string &key) const {
  constexpr size_t mostOfName = 100, digits = 16;
  std::string plain = name.substr(0, mostOfName);
  std::ranges::replace_if(
      plain, [](char c) { return !(std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'); },
      '_');
  return plain + "." + std::string(target.name()) + "-" + key.substr(0, digits) + formSuffix;
}

std::string FormCache::fileName(const Target &target, Form form) const {
  return nameOf(target, key(target, form));
}

std::optional<StoredForm> FormCache::find(const Target &target, Form form) const {
  if (compilesAnew())
    return std::nullopt;
  std::string wanted = key(target, form);
  return read(shelf->get(nameOf(target, wanted)), wanted);
}

std::vector<TrustRecord> FormCache::keep(const Target &target, Form form, const KernelFacts &facts,
                                         const Artifact &artifact) const {
  StoredForm made{key(target, form), form, facts, artifact, {}};
  std::string file = nameOf(target, made.key), content = made.packed();
  if (shelf->put(file, content, /*replace=*/false))
    return {};
  std::optional<StoredForm> there = read(shelf->get(file), made.key);
  if (there && objectName(there->artifact) == objectName(artifact))
    return there->records;
  shelf->put(file, content, /*replace=*/true);
  return {};
}

void FormCache::add(const Target &target, Form form, const TrustRecord &record) const {
  try {
    shelf->append(fileName(target, form), record.packed());
  } catch (const Error &) {
    return; // the environment names another machine by now, one that there is not
  }
}

std::optional<KernelFacts> FormCache::factsFor(std::string_view tier) const {
  try {
    const Target *target = TargetRegistry::find(tier);
    for (Form form : {Form::Disjoint, Form::Any})
      if (std::optional<StoredForm> kept = target ? find(*target, form) : std::nullopt)
        return std::move(kept->facts);
    return std::nullopt;
  } catch (const Error &) {
    return std::nullopt; // a machine or an option that the compiler will refuse, if it comes to that
  }
}

} // namespace trisect::jit
