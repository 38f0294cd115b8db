/**
 * A FastCGI program in Perl without modules. The query says what it does: `head=` lines of its head, `body=` a
 * number of bytes, `show=1` its variables, `pid=1` its number and how many it has served, `bad=` a way to misbehave, `err=` text for its error stream, `end=` how it ends: `request`, `close` (without the
 * end of the request), `die` (the process), `cut` (in the middle of the head of a record). `split=` bytes of a record, `wait=` ms before output.
 */
export const PROGRAM: string = String.raw`#!/usr/bin/perl
use strict; use warnings; use Socket;
my $served = 0;
sub full { my ($s, $n) = @_; my $t = ''; while (length($t) < $n) { my $r = sysread($s, $t, $n - length($t), length($t)); return undef unless $r; } $t }
sub rec { my ($s, $type, $data, $size) = @_; $size ||= 60000;
  do { my $part = substr($data, 0, $size, ''); my $h = pack('CCnnCC', 1, $type, 1, length($part), 3, 0); syswrite($s, $h . $part . "xxx"); } while (length $data); }
while (1) {
  my $c; accept($c, *STDIN) or last;
  my ($params, $body, $role) = ('', 0, 0);
  while (defined(my $h = full($c, 8))) {
    my ($v, $type, $id, $len, $pad) = unpack('CCnnC', $h);
    my $data = $len ? full($c, $len) : ''; full($c, $pad) if $pad;
    if ($type == 1) { $role = unpack('n', $data); }
    elsif ($type == 4) { last if !$len && $role == 2; $params .= $data; }
    elsif ($type == 5) { last if !$len; $body += $len; }
  }
  my %env; my $at = 0;
  my $n = sub { my $l = ord(substr($params, $at, 1)); if ($l > 127) { $l = unpack('N', substr($params, $at, 4)) & 0x7fffffff; $at += 4 } else { $at++ } $l };
  while ($at < length $params) { my $a = $n->(); my $b = $n->(); $env{substr($params, $at, $a)} = substr($params, $at + $a, $b); $at += $a + $b; }
  $served++;
  my %do; for (split /&/, $env{QUERY_STRING} // '') { my ($k, $v) = split /=/, $_, 2; $v //= ''; $v =~ s/\+/ /g; $v =~ s/%(..)/chr hex $1/ge; $do{$k} = $v; }
  if ($role == 2) { my $who = $env{FCGI_APACHE_ROLE}; my $s = $do{$who} // 200;
    my $t = "Status: $s x\r\nVariable-Seen: $who\r\nX-$who: " . join(',', map { "$_=" . ($env{$_} // '-') } qw(REMOTE_PASSWD REMOTE_USER PATH_INFO SCRIPT_NAME CONTENT_LENGTH HTTP_CONNECTION)) . "\r\n\r\nno\n";
    rec($c, 6, $t); rec($c, 6, ''); rec($c, 3, pack('NCCCC', 0, 0, 0, 0, 0)); close $c; next; }
  my $out = $do{head} // "X-One: 1\r\nContent-Type: text/plain\r\n\r\n";
  $out .= "$$ $served" if $do{pid};
  if ($do{show}) { $out .= "body of $body\nfoo=" . ($ENV{FOO} // '-') . " cmd=" . ($ENV{CMD} // '-') . " args=@ARGV\n";
    $out .= "$_=$env{$_}\n" for sort grep { !/^(PATH|REMOTE_PORT|SERVER_SOFTWARE|SERVER_SIGNATURE)$/ } keys %env; }
  $out .= 'b' x $do{body} if $do{body};
  select(undef, undef, undef, $do{wait} / 1000) if $do{wait};
  if (my $bad = $do{bad}) {
    if ($bad eq 'endless') { rec($c, 6, $out); $SIG{PIPE} = 'IGNORE'; 1 while rec($c, 6, 'e' x 60000) || 1; }
    if ($bad eq 'endless-head') { $SIG{PIPE} = 'IGNORE'; 1 while rec($c, 6, "X-A: b\r\n" x 1000) || 1; }
    if ($bad eq 'endless-line') { $SIG{PIPE} = 'IGNORE'; 1 while rec($c, 6, 'l' x 60000) || 1; }
    if ($bad eq 'big-head') { rec($c, 6, "X-A: " . ('b' x 1000) . "\r\n") for 1 .. 10000; }
    if ($bad eq 'hang') { sleep 1000 }
    if ($bad eq 'deaf') { $SIG{TERM} = 'IGNORE'; sleep 1 while 1; }
    if ($bad eq 'garbage') { syswrite($c, 'HTTP/1.1 200 OK' . ('x' x 100)); }
    if ($bad eq 'fork') { if (!fork) { close $c; sleep 1000; exit } }
    if ($bad eq 'noise') { print STDERR 'n' x 100, "\n" for 1 .. 1000; }
  }
  rec($c, 7, $do{err}) if defined $do{err} && length $do{err};
  my $end = $do{end} // 'request';
  rec($c, 6, $out, $do{split}) if length $out;
  if ($end eq 'cut') { syswrite($c, pack('CCn', 1, 6, 1)); close $c; next; }
  exit 3 if $end eq 'die';
  if ($end ne 'close') { rec($c, 6, '') if $end eq 'request'; rec($c, 3, pack('NCCCC', 0, 0, 0, 0, 0)); }
  close $c;
}
`
