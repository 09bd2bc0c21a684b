//===- Checker.cpp - which checkers a launch has --------------------------------------------------------===//
#include "interp/shadow/Checker.h"

namespace trisect::interp {

std::vector<std::unique_ptr<Checker>> checkersOf(Travel &travel) {
  std::vector<std::unique_ptr<Checker>> made;
  auto add = [&](bool asked, std::unique_ptr<Checker> (*make)(Travel &)) {
    if (asked)
      made.push_back(make(travel));
  };
  add(travel.has(FaultKind::BrokenHint), hintChecker);
  add(travel.has(FaultKind::OutOfBounds), boundsChecker);
  add(travel.has(FaultKind::Misaligned), alignmentChecker);
  add(travel.has(FaultKind::StoreConflict), storeConflictChecker);
  add(travel.run.races != nullptr, raceChecker);
  add(travel.run.views.hasUnwritten(), initialisedChecker);
  add(travel.has(FaultKind::IntegerOverflow), wrapChecker);
  add(travel.has(FaultKind::UndefinedValue), undefinedChecker);
  add(travel.has(FaultKind::NanOrigin), finiteChecker);
  return made;
}

} // namespace trisect::interp
