/** The five forms, in httpd's format. */
export const USAGE = `Usage: apxs -g [-S <var>=<val>] -n <modname>
       apxs -q [-v] [-S <var>=<val>] [<query> ...]
       apxs -c [-S <var>=<val>] [-o <dsofile>] [-D <name>[=<value>]]
               [-I <incdir>] [-L <libdir>] [-l <libname>] [-Wc,<flags>]
               [-Wl,<flags>] [-p] <files> ...
       apxs -i [-S <var>=<val>] [-a] [-A] [-n <modname>] <dsofile> ...
       apxs -e [-S <var>=<val>] [-a] [-A] [-n <modname>] <dsofile> ...`

/** What this apxs does in addition. */
export const DEVELOP_HINT = `apxs --dev [--port=PORT] [--inspect=PORT] [FOLDER] serves a module while you work on it
      apxs -i [-A] [--allow=CAPABILITY,...] PACKAGE installs a package of npm: a name, a tarball or a folder
      apxs --new-key NAME makes keys that sign modules; apxs --sign KEY FILE ... signs them`
