/** The text after an error, or without options. */
export const HTCACHECLEAN_USAGE: string = `htcacheclean -- program for cleaning the disk cache.
Usage: htcacheclean [-Dvtrn] -pPATH [-lLIMIT] [-LLIMIT] [-RROUND]
       htcacheclean [-nti] -dINTERVAL -pPATH [-lLIMIT] [-LLIMIT] [-PPIDFILE] [-RROUND]
       htcacheclean -pPATH [-a] [-A]
       htcacheclean [-Dv] -pPATH URL ...

Options:
  -d   clean in the background, every INTERVAL minutes, until SIGTERM; not with -D, -v, -r, -a and -A
  -i   with -d: skip a turn if nothing has been stored since the last one
  -P   with -d: the file for the process ID
  -p   the folder of CacheRoot
  -l   the most bytes that all responses may have; with B, K, M or G after the number
  -L   the most files and folders; with K, M or G after the number
  -R   round sizes up to this many bytes, such as the block size of the file system
  -D   remove nothing, only count
  -v   print what was done
  -r   remove damaged and abandoned files as well, at once: the server does not run
  -t   remove empty folders; implied by -r
  -n   pause between files, in favor of other programs
  -a   list the URLs of all responses
  -A   list them with sizes of head and body, status, version, times of the response, of its expiry, of
       request and arrival in microseconds since 1970, whether there is a body, whether it answers HEAD
`
