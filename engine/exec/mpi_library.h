#ifndef MOTE_MPI_LIBRARY_H
#define MOTE_MPI_LIBRARY_H

/* What mote calls of its small library over MPI (mpi_library.c), in C: mote is built once and knows
 * no MPI; the library is built against the MPI of a machine by `mote mpi`. Functions return 0, or
 * write why not to `error`, which has room for MOTE_MPI_ERROR bytes. */

#ifdef __cplusplus
extern "C" {
#endif

#define MOTE_MPI_VERSION 1
#define MOTE_MPI_ERROR 1024

struct mote_mpi_place {
  int rank, size;
};

/* A message to or from another rank. */
struct mote_mpi_message {
  int rank;
  unsigned long long bytes;
  void* data;
};

int mote_mpi_version(void);
/* Starts MPI. */
int mote_mpi_join(struct mote_mpi_place* place, char* error);
/* Exchanges messages; returns when all of `receive` have arrived, and those of `send` may be
 * overwritten. `number` counts the exchanges of this process: a message of another number is an
 * error. */
int mote_mpi_exchange(const struct mote_mpi_message* send, int sends,
                      const struct mote_mpi_message* receive, int receives, int number,
                      char* error);
/* Ends MPI; all ranks call it. */
int mote_mpi_leave(char* error);
/* Ends all processes. */
void mote_mpi_abort(int code);

#ifdef __cplusplus
}
#endif

#endif
