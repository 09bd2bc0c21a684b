//===- Forms.cpp - over jit/cache -----------------------------------------------------------------------===//
#include "python/bindings/facade/Forms.h"
#include "core/support/Outcome.h"
#include "jit/cache/FormCache.h"
#include "jit/cache/StoredForm.h"
#include <algorithm>

namespace trisect::forms {

Form read(std::string_view bytes) {
  jit::StoredForm stored = jit::StoredForm::from(bytes);
  Form form;
  form.kernel = stored.facts.name;
  form.tier = stored.artifact.target;
  form.isa = stored.artifact.isa;
  form.key = stored.key;
  form.object = jit::objectName(stored.artifact);
  form.mayOverlap = stored.artifact.guards.empty();
  form.codeBytes = stored.artifact.code.size();
  for (const jit::KernelParameter &parameter : stored.facts.parameters)
    form.parameters.push_back(parameter.name + ": " + parameter.spelling);
  for (const Assertion &assertion : stored.artifact.asserts)
    form.asserts.push_back(assertion.message + " at " + assertion.position.str());
  for (const Path &path : stored.artifact.paths)
    form.paths.push_back(path.purpose + " at " + path.position.str());
  for (const jit::TrustRecord &record : stored.records) {
    (record.withdrawn ? form.withdrawn : form.compared) = true;
    form.verdicts.push_back(record.verdict);
  }
  return form;
}

bool compilesAnew() { return jit::compilesAnew(); }

std::string joined(std::string_view bytes, std::string_view other) {
  std::string all(bytes);
  jit::StoredForm form = jit::StoredForm::from(bytes);
  std::string name = jit::objectName(form.artifact);
  for (const jit::TrustRecord &record : jit::recordsIn(other))
    if (record.object == name && std::ranges::find(form.records, record) == form.records.end())
      all += record.packed();
  return all;
}

} // namespace trisect::forms
