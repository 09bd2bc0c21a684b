//===- Store.cpp - names and limits ---------------------------------------------------------------------===//
#include "jit/bundle/Store.h"
#include "core/support/ForkGate.h"
#include "core/support/Options.h"
#include <algorithm>
#include <atomic>
#include <ctime>
#include <unistd.h>

namespace trisect::jit {

namespace fs = std::filesystem;

namespace {
std::atomic<BundleHook> hook{nullptr};

fs::path folder() {
  if (std::string chosen = optionText(OptionId::Bundles); !chosen.empty())
    return chosen;
  std::string home = optionText(OptionId::Home);
  if (home.empty())
    home = optionText(OptionId::HomeFolder);
  return fs::path(home.empty() ? "." : home) / ".triton" / "bundles";
}

std::string newName(const Bundle &bundle) {
  static std::atomic<int> count{0};
  char time[32];
  std::time_t now = std::time(nullptr);
  std::tm parts{};
  localtime_r(&now, &parts);
  std::strftime(time, sizeof(time), "%Y%m%d-%H%M%S", &parts);
  return bundle.kernel.substr(0, 80) + "-" + bundle.tier + "-" + time + "-" + std::to_string(getpid()) + "-" +
         std::to_string(++count);
}

/// Removes the oldest so that there is room for one more. Only what is a bundle is touched.
void makeRoom(const fs::path &where, int64_t most) {
  std::vector<std::pair<fs::file_time_type, fs::path>> present;
  std::error_code ignored;
  for (const fs::directory_entry &entry : fs::directory_iterator(where, ignored))
    if (fs::exists(entry.path() / "launch.json", ignored))
      present.emplace_back(entry.last_write_time(ignored), entry.path());
  std::sort(present.begin(), present.end());
  for (size_t n = 0; n + static_cast<size_t>(most) <= present.size() && n < present.size(); ++n)
    fs::remove_all(present[n].second, ignored);
}

int64_t numberOf(OptionId id) { return optionInteger(id).value_or(0); }
} // namespace

bool keepsBundles() { return numberOf(OptionId::BundleCount) > 0; }

std::string keepBundle(const Bundle &bundle) {
  try {
    int64_t most = numberOf(OptionId::BundleCount), mebibytes = numberOf(OptionId::BundleMib);
    if (most <= 0)
      return "";
    if (bundle.size() >> 20 >= static_cast<size_t>(mebibytes))
      return "; no bundle: it would take " + std::to_string(bundle.size() >> 20) +
             " MiB, more than TRISECT_BUNDLE_MIB";
    fs::path where = folder(), directory = where / newName(bundle);
    fs::create_directories(where);
    makeRoom(where, most);
    fs::path unfinished = where / ("." + directory.filename().string());
    bundle.write(unfinished);
    fs::rename(unfinished, directory);
    if (BundleHook draw = hook.load())
      outsideForkSections([draw, directory] { draw(directory.c_str()); });
    return "; bundle in " + directory.string();
  } catch (const std::exception &error) {
    return std::string("; no bundle: ") + error.what();
  }
}

void onBundle(BundleHook chosen) { hook = chosen; }

} // namespace trisect::jit
