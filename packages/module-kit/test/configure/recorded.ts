/** The config.nice of httpd 2.4 for a command line with a variable. */
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

/** The config.nice of 2.2, with modules that 2.4 removed and modules that this server does not provide. */
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
