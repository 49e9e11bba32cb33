#pragma once

#include <hdf5.h>

#include <filesystem>
#include <string>
#include <vector>

#include "sim/io/hdf5_handle.h"

namespace mote::sim {

/// Builds a file as other programs write it.
class Foreign {
 public:
  explicit Foreign(const std::filesystem::path& path)
      : file_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose) {}

  Foreign& group(const char* name) {
    hdf5::Handle(H5Gcreate2(file_.get(), name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
    return *this;
  }
  Foreign& attribute(const char* group, const char* name, const std::vector<double>& values) {
    const hsize_t count = values.size();
    const hdf5::Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
    const hdf5::Handle a(H5Acreate_by_name(file_.get(), group, name, H5T_NATIVE_DOUBLE, space.get(),
                                           H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose);
    H5Awrite(a.get(), H5T_NATIVE_DOUBLE, values.data());
    return *this;
  }
  Foreign& rows(const std::string& name, const std::vector<hsize_t>& shape,
                const std::vector<double>& values, hid_t type = H5T_IEEE_F32BE) {
    const hdf5::Handle space(
        H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose);
    const hdf5::Handle d(H5Dcreate2(file_.get(), name.c_str(), type, space.get(), H5P_DEFAULT,
                                    H5P_DEFAULT, H5P_DEFAULT),
                         H5Dclose);
    if (!values.empty())
      H5Dwrite(d.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    return *this;
  }
  Foreign& header(const std::vector<double>& counts,
                  const std::vector<double>& table = {0, 0, 0, 0, 0, 0}) {
    return group("Header")
        .attribute("Header", "NumPart_ThisFile", counts)
        .attribute("Header", "MassTable", table);
  }
  /// A group with one body at (x, 2, 3) and velocity (4, 5, 6).
  Foreign& body(const std::string& name, double x) {
    return group(name.c_str())
        .rows(name + "/Coordinates", {1, 3}, {x, 2, 3})
        .rows(name + "/Velocities", {1, 3}, {4, 5, 6}, H5T_IEEE_F64BE);
  }
  /// An external link to an object of another file.
  Foreign& link_out(const std::string& name, const std::filesystem::path& other,
                    const std::string& to) {
    H5Lcreate_external(other.c_str(), to.c_str(), file_.get(), name.c_str(), H5P_DEFAULT,
                       H5P_DEFAULT);
    return *this;
  }
  /// A dataset with external storage.
  Foreign& rows_outside(const std::string& name, const std::vector<hsize_t>& shape,
                        const std::filesystem::path& other) {
    const hdf5::Handle space(
        H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose);
    const hdf5::Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_external(creation.get(), other.c_str(), 0, H5F_UNLIMITED);
    hdf5::Handle(H5Dcreate2(file_.get(), name.c_str(), H5T_IEEE_F32LE, space.get(), H5P_DEFAULT,
                            creation.get(), H5P_DEFAULT),
                 H5Dclose);
    return *this;
  }

 private:
  hdf5::Handle file_;
};

}  // namespace mote::sim
