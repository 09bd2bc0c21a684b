//===- Bundle.cpp - writing and reading the files -------------------------------------------------------===//
#include "jit/bundle/Bundle.h"
#include "core/support/Hash.h"
#include "core/support/Outcome.h"
#include "jit/bundle/LaunchFile.h"
#include "jit/bundle/Report.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/TargetParser/Host.h"
#include <fstream>
#include <sstream>

namespace trisect::jit {

namespace fs = std::filesystem;

namespace {
constexpr size_t pageBytes = interp::Overlay::pageBytes;

void put(const fs::path &file, const std::string &content) {
  std::ofstream stream(file, std::ios::binary);
  stream << content;
  if (!stream.flush())
    throw EngineError("cannot write " + file.string());
}

std::string get(const fs::path &file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream)
    throw InvalidInput(file.parent_path().string() + " is no bundle: " + file.filename().string() +
                       " cannot be read");
  std::ostringstream content;
  content << stream.rdbuf();
  return content.str();
}

std::string bytesOf(const std::vector<EvidencePage> &pages) {
  std::string all;
  for (const EvidencePage &page : pages)
    all += page.before + page.expected + page.written + page.found;
  return all;
}

void readPages(const fs::path &file, std::vector<EvidencePage> &pages) {
  std::string all = get(file);
  size_t at = 0;
  auto take = [&](std::string &into) {
    if (at + pageBytes > all.size())
      throw InvalidInput(file.string() + " is shorter than launch.json says");
    into = all.substr(at, pageBytes);
    at += pageBytes;
  };
  for (EvidencePage &page : pages) {
    bool found = !page.found.empty();
    take(page.before);
    take(page.expected);
    take(page.written);
    if (found)
      take(page.found);
  }
}
} // namespace

std::map<std::string, std::string> currentVersions() {
  return {{"trisect", TRISECT_VERSION},
          {"llvm", LLVM_VERSION_STRING},
          {"host", llvm::sys::getProcessTriple()},
          {"processor", llvm::sys::getHostCPUName().str()}};
}

size_t Bundle::size() const {
  size_t pages = evidence ? evidence->pages.size() * 4 * pageBytes : 0;
  return pages + ttir.size() + (code ? code->code.size() : 0);
}

void Bundle::write(const fs::path &directory) const {
  std::error_code failure;
  fs::create_directories(directory, failure);
  if (failure)
    throw EngineError("cannot write " + directory.string() + ": " + failure.message());
  put(directory / "kernel.ttir", ttir);
  if (code)
    put(directory / "code.bin", serialize(*code));
  std::string pages = evidence ? bytesOf(evidence->pages) : std::string();
  if (evidence)
    put(directory / "pages.bin", pages);
  put(directory / "launch.json", launchText(*this, hashBytes(ttir + pages).hex()));
  put(directory / "report.json", reportJson(*this));
  put(directory / "report.txt", reportText(*this));
}

Bundle Bundle::read(const fs::path &directory) {
  std::string digest;
  Bundle bundle = launchFrom(get(directory / "launch.json"), digest);
  bundle.ttir = get(directory / "kernel.ttir");
  if (std::error_code none; fs::exists(directory / "code.bin", none)) {
    try {
      bundle.code = deserialize(get(directory / "code.bin"));
    } catch (const InvalidInput &error) {
      throw InvalidInput(directory.string() + ": code.bin: " + error.what());
    }
  }
  if (bundle.evidence)
    readPages(directory / "pages.bin", bundle.evidence->pages);
  if (hashBytes(bundle.ttir + (bundle.evidence ? bytesOf(bundle.evidence->pages) : "")).hex() != digest)
    throw InvalidInput(directory.string() +
                       ": kernel.ttir or pages.bin are not what was written with launch.json");
  return bundle;
}

} // namespace trisect::jit
