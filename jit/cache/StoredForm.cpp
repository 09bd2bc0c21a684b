//===- StoredForm.cpp - forms as bytes ------------------------------------------------------------------===//
//
// A line that names the format, the SHA-256 of what follows up to the artifact, and the fields in their order
// (core/support/Packing.h); the artifact has a checksum of its own, as has each record.
//
//===----------------------------------------------------------------------------------------------------===//
#include "jit/cache/StoredForm.h"
#include "core/support/Hash.h"
#include "core/support/Packing.h"
#include <algorithm>

namespace trisect::jit {

namespace {
constexpr std::string_view heading = "trisect form 2\n";
constexpr size_t digits = 64;

template <class Coder> void code(Coder &coder, KernelParameter &parameter) {
  coder.field(parameter.name);
  coder.field(parameter.type);
  coder.field(parameter.pointee);
  coder.field(parameter.spelling);
  coder.field(parameter.descriptor);
}

template <class Coder> void code(Coder &coder, StoredForm &form, size_t &artifactBytes) {
  coder.field(form.key);
  coder.field(form.form);
  coder.field(form.facts.name);
  for (size_t i = 0, size = coder.length(form.facts.parameters); i < size; ++i)
    code(coder, form.facts.parameters[i]);
  coder.field(form.facts.traits.readsMachine);
  coder.field(form.facts.traits.addressesShow);
  coder.field(form.facts.traits.prints);
  coder.field(form.facts.traits.atomicOrder);
  coder.field(form.facts.traits.atomicLanes);
  coder.field(form.facts.traits.repeatable);
  std::vector<uint32_t> &onlyWritten = form.facts.traits.onlyWritten;
  for (size_t i = 0, size = coder.length(onlyWritten); i < size; ++i)
    coder.field(onlyWritten[i]);
  coder.field(artifactBytes);
}
} // namespace

std::string objectName(const Artifact &artifact) { return hashBytes(artifact.code).hex(); }

std::string StoredForm::packed() const {
  Packer fields, framed;
  StoredForm copy = *this;
  std::string code = serialize(artifact);
  size_t artifactBytes = code.size();
  jit::code(fields, copy, artifactBytes);
  framed.field(fields.bytes);
  std::string all = std::string(heading) + hashBytes(fields.bytes).hex() + framed.bytes + code;
  for (const TrustRecord &record : records)
    all += record.packed();
  return all;
}

StoredForm StoredForm::from(std::string_view bytes) {
  size_t start = heading.size() + digits, size = 0;
  if (bytes.size() < start + 8 || bytes.substr(0, heading.size()) != heading)
    throw InvalidInput("this is no form of a kernel, or one of another release");
  Unpacker(bytes.substr(start, 8), "a form").field(size);
  if (size > bytes.size() - start - 8)
    throw InvalidInput("a form ends before its end");
  std::string_view body = bytes.substr(start + 8, size), rest = bytes.substr(start + 8 + size);
  if (hashBytes(body).hex() != bytes.substr(heading.size(), digits))
    throw InvalidInput("a form is damaged: its checksum is wrong");
  StoredForm form;
  size_t artifactBytes = 0;
  Unpacker reader(body, "a form");
  code(reader, form, artifactBytes);
  if (!reader.atEnd() || artifactBytes > rest.size())
    throw InvalidInput("a form ends before its end");
  form.artifact = deserialize(rest.substr(0, artifactBytes));
  form.records = recordsIn(rest.substr(artifactBytes));
  std::erase_if(form.records, [name = objectName(form.artifact)](const TrustRecord &record) {
    return record.object != name;
  });
  return form;
}

} // namespace trisect::jit
