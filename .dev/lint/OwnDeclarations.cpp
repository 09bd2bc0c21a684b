//===- OwnDeclarations.cpp - clang-tidy looks at our declarations alone ---------------------------------===//
//
// What: a plugin of clang-tidy with one check, trisect-own-declarations, that complains of nothing: it takes
// the declarations of system and precompiled headers out of what the checks after it walk through.
// Why: clang-tidy matches every declaration that a file includes and then drops what it found in system
// headers. In a file that includes MLIR these are nine tenths of its time.
// Limits: a check that asks for all declarations of the file at once, rather than for one of ours, sees ours
// alone.
//
//===----------------------------------------------------------------------------------------------------===//
#include "clang-tidy/ClangTidyCheck.h"
#include "clang-tidy/ClangTidyModule.h"
#include "clang-tidy/ClangTidyModuleRegistry.h"
#include "clang/AST/ASTContext.h"
#include "clang/ASTMatchers/ASTMatchFinder.h"

using namespace clang;
using namespace clang::ast_matchers;

namespace {
class OwnDeclarations : public tidy::ClangTidyCheck {
public:
  using ClangTidyCheck::ClangTidyCheck;

  void registerMatchers(MatchFinder *finder) override {
    finder->addMatcher(translationUnitDecl().bind("unit"), this);
  }

  void check(const MatchFinder::MatchResult &result) override {
    const SourceManager &sources = *result.SourceManager;
    std::vector<Decl *> own;
    for (Decl *declaration : result.Context->getTranslationUnitDecl()->noload_decls()) {
      SourceLocation place = sources.getExpansionLoc(declaration->getLocation());
      if (place.isValid() && !sources.isInSystemHeader(place) && !sources.isLoadedSourceLocation(place))
        own.push_back(declaration);
    }
    result.Context->setTraversalScope(own);
  }
};

class OwnModule : public tidy::ClangTidyModule {
public:
  void addCheckFactories(tidy::ClangTidyCheckFactories &factories) override {
    factories.registerCheck<OwnDeclarations>("trisect-own-declarations");
  }
};
} // namespace

static tidy::ClangTidyModuleRegistry::Add<OwnModule> registration("trisect",
                                                                  "limits what checks walk through");
