//===- ErfTable.h - the coefficients of erf -------------------------------------------------------------===//
//
// What: for each of sixteen intervals about the multiples of 1/4, where erf is looked at from, what it is
// there, and six coefficients of what is added. Both tiers take them, each in steps of its own, which
// docs/functions.md fixes. From 1/2 on erf of the point is a number of f32 but for a thousandth of its last
// place; in the last interval what is added grows a little faster, so that erf reaches 1 at its end.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_SUPPORT_ERFTABLE_H
#define TRISECT_CORE_SUPPORT_ERFTABLE_H

namespace trisect {

struct ErfTable {
  float point[16], value[16];
  float more[6][16]; ///< of the powers of the distance from 1 on, less 1 in the first two intervals
};

// clang-format off
alignas(64) constexpr ErfTable erfTable = {
    {0, 0, 0x1.000788p-1f, 0x1.800e58p-1f, 0x1.00132p+0f, 0x1.3ffa92p+0f, 0x1.7ff5f6p+0f, 0x1.c005b8p+0f,
     0x1.fff7p+0f, 0x1.1ffc88p+1f, 0x1.3ff308p+1f, 0x1.6003dap+1f, 0x1.8016bap+1f, 0x1.9e0ea4p+1f,
     0x1.c0ac2p+1f, 0x1.df38ccp+1f},
    {0, 0, 0x1.0a8594p-1f, 0x1.6c25dp-1f, 0x1.af865ap-1f, 0x1.d883ccp-1f, 0x1.eea2f2p-1f, 0x1.f92da2p-1f,
     0x1.fd9a82p-1f, 0x1.ff402ep-1f, 0x1.ffca8cp-1f, 0x1.fff2d2p-1f, 0x1.fffd1ep-1f, 0x1.ffff6p-1f,
     0x1.ffffe8p-1f, 0x1.fffffcp-1f},
    {
    {0x1.06eba8p-3f, 0x1.06ed64p-3f, 0x1.c1e92cp-1f, 0x1.49206ep-1f, 0x1.a8d27p-2f, 0x1.e47eep-3f,
     0x1.e75cc4p-4f, 0x1.b03362p-5f, 0x1.52cb3ep-6f, 0x1.d44d52p-8f, 0x1.1e13dep-9f, 0x1.332df8p-11f,
     0x1.22d274p-13f, 0x1.0e2ea8p-15f, 0x1.5d4218p-18f, 0x1.f621p-21f},
    {0x1.8c94b4p-22f, -0x1.846806p-14f, -0x1.c1f668p-2f, -0x1.edc316p-2f, -0x1.a8f22ep-2f, -0x1.2eca2ap-2f,
     -0x1.6d7c06p-3f, -0x1.7a31ccp-4f, -0x1.52c54ap-5f, -0x1.07684ep-6f, -0x1.658a5ap-8f, -0x1.a663cp-10f,
     -0x1.b455d4p-12f, -0x1.b4fd74p-14f, -0x1.31fdacp-16f, -0x1.855de2p-19f},
    {-0x1.812d5ep-2f, -0x1.801354p-2f, -0x1.2bdfa4p-3f, 0x1.b7e72ep-6f, 0x1.1b8ab2p-3f, 0x1.571d3ep-3f,
     0x1.1c38cp-3f, 0x1.7138dcp-4f, 0x1.8b3406p-5f, 0x1.6411bep-6f, 0x1.120f4ep-7f, 0x1.6997eap-9f,
     0x1.9c2a82p-11f, 0x1.c0a128p-13f, 0x1.5705aep-15f, 0x1.d2eea8p-17f},
    {0x1.03f5d4p-11f, -0x1.98f1f8p-8f, 0x1.76f2b6p-3f, 0x1.348d1p-3f, 0x1.1afb8ep-4f, -0x1.920d8ap-8f,
     -0x1.6d3ef4p-5f, -0x1.8a06c8p-5f, -0x1.1a4036p-5f, -0x1.38c3fcp-6f, -0x1.1aeea8p-7f, -0x1.aad70cp-9f,
     -0x1.10cf18p-10f, -0x1.46be42p-12f, -0x1.158876p-14f, -0x1.250732p-16f},
    {0x1.bdcb4cp-4f, 0x1.11098ep-3f, 0x1.e7d364p-8f, -0x1.af9192p-5f, -0x1.19f206p-4f, -0x1.816906p-5f,
     -0x1.eb97ep-7f, 0x1.a64b8p-8f, 0x1.a9e938p-7f, 0x1.5cbd7ap-7f, 0x1.92473cp-8f, 0x1.6b407p-9f,
     0x1.0c3ce4p-10f, 0x1.674cc6p-12f, 0x1.52b6c6p-14f, -0x1.ed619ep-14f},
    {0x1.e4a368p-8f, -0x1.250d22p-5f, -0x1.97f482p-5f, -0x1.b8cd18p-6f, 0x1.1f978p-8f, 0x1.57e02ap-6f,
     0x1.3acebep-6f, 0x1.25738ap-7f, 0x1.0c7d16p-11f, -0x1.76e16ap-9f, -0x1.6e8c82p-9f, -0x1.b2a66ep-10f,
     -0x1.871bd6p-11f, -0x1.17bcfep-12f, -0x1.d323aap-15f, 0x1.79fp-13f},
    }
};
// clang-format on

} // namespace trisect

#endif // TRISECT_CORE_SUPPORT_ERFTABLE_H
