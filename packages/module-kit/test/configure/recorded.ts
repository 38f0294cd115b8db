/** What configure of httpd 2.4 writes into config.nice, for a command line with a variable. */
export const NICE_2_4: string = `#! /bin/sh
#
# Created by configure

CFLAGS="-O1 -g"; export CFLAGS
"../../httpd/configure" \\
"--prefix=/opt/gw" \\
"--enable-layout=Apache" \\
"--with-port=8350" \\
"--enable-rewrite" \\
"--disable-status" \\
"--enable-mods-static=authz-core" \\
"--with-mpm=event" \\
"--with-apr=/usr/local/apr" \\
"CFLAGS=-O1 -g" \\
"$@"
`

/** The same of 2.2, with modules that went with it and modules that this server lacks. */
export const NICE_2_2: string = `#! /bin/sh
#
# Created by configure

CFLAGS="-O2"; export CFLAGS
"./configure" \\
"--prefix=/usr/local/apache2" \\
"--enable-so" \\
"--enable-mods-shared=all ssl" \\
"--enable-authz-default" \\
"--enable-disk-cache" \\
"--enable-proxy" \\
"--enable-deflate=static" \\
"--with-included-apr" \\
"--with-mpm=prefork" \\
"CFLAGS=-O2" \\
"$@"
`
