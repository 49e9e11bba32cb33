/* Messages between processes by MPI, for mote (mpi_library.h). Plain C and MPI 2: every MPI of the
 * last twenty years compiles it. */
#include "mpi_library.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Counts of MPI are ints: longer messages go in parts. */
#define LARGEST_PART (1 << 30)
/* Tags may be as large as this everywhere. */
#define SMALLEST_TAG_LIMIT 32767

static int failed(int code, const char* call, char* error) {
  char text[MPI_MAX_ERROR_STRING + 1];
  int length = 0;
  if (code == MPI_SUCCESS) return 0;
  if (MPI_Error_string(code, text, &length) != MPI_SUCCESS) length = 0;
  text[length] = '\0';
  snprintf(error, MOTE_MPI_ERROR, "%s: %s", call, text);
  return 1;
}

int mote_mpi_version(void) {
  return MOTE_MPI_VERSION;
}

int mote_mpi_join(struct mote_mpi_place* place, char* error) {
  int level = 0;
  /* One thread at a time calls MPI, not always the same. */
  if (failed(MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level), "MPI_Init_thread", error))
    return 1;
  if (failed(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler",
             error) ||
      failed(MPI_Comm_rank(MPI_COMM_WORLD, &place->rank), "MPI_Comm_rank", error) ||
      failed(MPI_Comm_size(MPI_COMM_WORLD, &place->size), "MPI_Comm_size", error))
    return 1;
  return 0;
}

static unsigned long long parts_of(const struct mote_mpi_message* messages, int count) {
  unsigned long long parts = 0;
  int k;
  for (k = 0; k < count; ++k) parts += (messages[k].bytes + LARGEST_PART - 1) / LARGEST_PART;
  return parts;
}

/* Starts the parts of messages; returns nonzero if MPI refuses one. Those received may have any
 * tag: it is compared when they are there, so that a wrong one is an error and not a wait. */
static int start(const struct mote_mpi_message* messages, int count, int receives, int tag,
                 MPI_Request* requests, int* started, int* sizes, char* error) {
  int k;
  for (k = 0; k < count; ++k) {
    unsigned long long done = 0;
    while (done < messages[k].bytes) {
      const unsigned long long left = messages[k].bytes - done;
      const int size = left < LARGEST_PART ? (int)left : LARGEST_PART;
      char* const at = (char*)messages[k].data + done;
      const int code =
          receives
              ? MPI_Irecv(at, size, MPI_BYTE, messages[k].rank, MPI_ANY_TAG, MPI_COMM_WORLD,
                          requests + *started)
              : MPI_Isend(at, size, MPI_BYTE, messages[k].rank, tag, MPI_COMM_WORLD,
                          requests + *started);
      if (failed(code, receives ? "MPI_Irecv" : "MPI_Isend", error)) return 1;
      sizes[(*started)++] = receives ? size : -1;
      done += (unsigned long long)size;
    }
  }
  return 0;
}

int mote_mpi_exchange(const struct mote_mpi_message* send, int sends,
                      const struct mote_mpi_message* receive, int receives, int number,
                      char* error) {
  const unsigned long long parts = parts_of(send, sends) + parts_of(receive, receives);
  MPI_Request* requests;
  MPI_Status* statuses;
  int* sizes;
  const int tag = number % SMALLEST_TAG_LIMIT;
  int started = 0, bad = 0, k;
  if (parts == 0) return 0;
  requests = malloc((size_t)parts * sizeof *requests);
  statuses = malloc((size_t)parts * sizeof *statuses);
  sizes = malloc((size_t)parts * sizeof *sizes);
  if (requests == NULL || statuses == NULL || sizes == NULL) {
    snprintf(error, MOTE_MPI_ERROR, "out of memory");
    bad = 1;
  }
  if (!bad) bad = start(receive, receives, 1, tag, requests, &started, sizes, error);
  if (!bad) bad = start(send, sends, 0, tag, requests, &started, sizes, error);
  if (!bad) bad = failed(MPI_Waitall(started, requests, statuses), "MPI_Waitall", error);
  for (k = 0; !bad && k < started; ++k) {
    int size = 0;
    if (sizes[k] < 0) continue;
    MPI_Get_count(&statuses[k], MPI_BYTE, &size);
    if (statuses[k].MPI_TAG != tag) {
      snprintf(error, MOTE_MPI_ERROR, "rank %d makes other calls", statuses[k].MPI_SOURCE);
      bad = 1;
      continue;
    }
    if (size == sizes[k]) continue;
    snprintf(error, MOTE_MPI_ERROR, "a message of rank %d has %d bytes instead of %d",
             statuses[k].MPI_SOURCE, size, sizes[k]);
    bad = 1;
  }
  free(requests);
  free(statuses);
  free(sizes);
  return bad;
}

int mote_mpi_leave(char* error) {
  return failed(MPI_Finalize(), "MPI_Finalize", error);
}

void mote_mpi_abort(int code) {
  MPI_Abort(MPI_COMM_WORLD, code);
}
