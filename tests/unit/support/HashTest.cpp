//===- HashTest.cpp - SHA-256 against digests of Python's hashlib ---------------------------------------===//
#include "core/support/Hash.h"
#include <gtest/gtest.h>

using namespace trisect;

namespace {
TEST(HashTest, MatchesKnownDigests) {
  // Lengths around the padding boundary (55, 56), a whole block (64) and many blocks.
  const std::pair<std::string, std::string_view> known[] = {
      {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {std::string(55, 'a'), "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"},
      {std::string(56, 'a'), "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"},
      {std::string(64, 'a'), "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"},
      {std::string(119, 'a'), "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"},
      {std::string(1000000, 'a'), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
  };
  for (const auto &[text, digest] : known)
    EXPECT_EQ(hashBytes(text).hex(), digest) << "of " << text.size() << " bytes";
}

TEST(HashTest, PiecesJoinWithoutBoundary) {
  std::string text;
  for (int i = 0; i < 1280; ++i)
    text += static_cast<char>(i % 256);
  for (size_t piece : {1, 3, 63, 64, 65, 200}) {
    Hasher hasher;
    for (size_t at = 0; at < text.size(); at += piece)
      hasher.bytes(text.data() + at, std::min(piece, text.size() - at));
    EXPECT_EQ(hasher.finish().hex(), "d414b085826eb06778483ba35564dc849e643359f69ed9747878ba6e54985bed")
        << "in pieces of " << piece;
  }
}

TEST(HashTest, FieldsAreDelimited) {
  EXPECT_EQ(Hasher().field("ab").field("c").finish().hex(),
            "43ee655579de01ca739b3f95c1c2d3f46d353b2c0df818064ea594506cdb2617");
  EXPECT_NE(Hasher().field("ab").field("c").finish(), Hasher().field("a").field("bc").finish());
}

TEST(HashTest, PrefixIsTheLeadingDigits) { EXPECT_EQ(hashBytes("abc").prefix(), 0xba7816bf8f01cfeaULL); }
} // namespace
