//===- Xunit.cpp - results of run tests as JUnit XML ----------------------------------------------------===//
#include "core/support/Files.h"
#include "interp/tools/RunTest.h"
#include "llvm/Support/JSON.h"
#include <sstream>

namespace trisect::tools {

namespace {
/// What a message quotes may be any bytes; XML takes UTF-8 without control characters.
std::string escaped(std::string_view text) {
  std::string out;
  for (char c : llvm::json::fixUTF8(text)) {
    switch (c) {
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '&':
      out += "&amp;";
      break;
    case '"':
      out += "&quot;";
      break;
    default:
      out += static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t' ? '?' : c;
    }
  }
  return out;
}
} // namespace

void writeXunit(const std::string &path, const std::vector<CaseResult> &results) {
  size_t failed = 0, skipped = 0;
  for (const CaseResult &each : results) {
    failed += each.verdict == Verdict::Failed;
    skipped += each.verdict == Verdict::Skipped;
  }
  std::ostringstream file;
  file << "<testsuites><testsuite name=\"ops\" tests=\"" << results.size() << "\" failures=\"" << failed
       << "\" skipped=\"" << skipped << "\">\n";
  for (const CaseResult &each : results) {
    file << "<testcase classname=\"ops\" name=\"" << escaped(each.name) << "\" time=\"" << each.seconds
         << "\">";
    if (each.verdict == Verdict::Failed)
      file << "<failure message=\"" << escaped(each.message) << "\"/>";
    if (each.verdict == Verdict::Skipped)
      file << "<skipped message=\"" << escaped(each.message) << "\"/>";
    file << "</testcase>\n";
  }
  file << "</testsuite></testsuites>\n";
  writeFile(path, {file.view()});
}

} // namespace trisect::tools
