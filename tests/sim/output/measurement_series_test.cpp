#include "sim/output/measurement_series.h"

#include <gtest/gtest.h>

#include "sim/output/run_folder.h"
#include "tests/sim/scene/scene_text.h"

namespace mote::test {
namespace {

sim::Measurement at(std::uint64_t step) {
  sim::Measurement m;
  m.step = step;
  return m;
}

TEST(MeasurementSeries, HoldsEverySampleOnceAndInOrder) {
  sim::MeasurementSeries series(10);
  for (const std::uint64_t step : {0, 10, 15, 20, 10, 20, 30}) series.add(at(step));
  ASSERT_EQ(series.all().size(), 4u);
  EXPECT_EQ(series.all().back().step, 30u);
}

TEST(MeasurementSeries, IsDecimatedEvenly) {
  sim::MeasurementSeries series(1);
  for (std::uint64_t step = 0; step < 10 * sim::MeasurementSeries::max_samples; ++step)
    series.add(at(step));
  EXPECT_LE(series.all().size(), sim::MeasurementSeries::max_samples);
  EXPECT_GT(series.all().size(), sim::MeasurementSeries::max_samples / 2 - 1);
  EXPECT_EQ(series.every(), 16u);
  for (std::size_t i = 0; i < series.all().size(); ++i)
    ASSERT_EQ(series.all()[i].step, i * series.every());
}

TEST(MeasurementSeries, DiscardsSamplesAfterAStep) {
  sim::MeasurementSeries series(1);
  for (std::uint64_t step = 0; step < 9; ++step) series.add(at(step));
  series.discard_after(4);
  EXPECT_EQ(series.all().back().step, 4u);
  series.add(at(5));
  EXPECT_EQ(series.all().back().step, 5u);
}

TEST(MeasurementSeries, UpdatesFromAnotherAfterDecimationAndDiscards) {
  sim::MeasurementSeries series(1), copy(1);
  std::uint64_t step = 0;
  const auto same = [&] {
    copy.update_from(series);
    ASSERT_EQ(copy.all().size(), series.all().size());
    for (std::size_t i = 0; i < copy.all().size(); ++i)
      ASSERT_EQ(copy.all()[i].step, series.all()[i].step);
  };
  for (int round = 0; round < 40; ++round) {
    for (int i = 0; i < 700; ++i) series.add(at(step++));
    if (round % 7 == 3) series.discard_after(step -= 500);
    same();
  }
}

/// A run that an older version began has no column of it, and goes on without.
TEST(SeriesColumns, AreThoseOfTheFileThatARunContinues) {
  const sim::SceneDescription scene =
      sim::SceneText("return { integrator = { dt = 0.01 }, soft = {}, bodies = { rope {} } }")
          .read();
  for (const bool older : {false, true}) {
    const sim::SeriesParts parts = sim::series_parts(
        scene, older ? "time,step,kinetic" : "time,step,kinetic,constraint_energy");
    const std::vector<sim::SeriesColumn> columns = sim::series_columns(scene, parts);
    EXPECT_EQ(columns.back().name == "constraint_energy", !older);
    EXPECT_EQ(sim::series_values({}, parts).size(), columns.size());
  }
}

}  // namespace
}  // namespace mote::test
