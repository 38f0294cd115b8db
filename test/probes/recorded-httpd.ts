/** A requirement that Apache httpd 2.4 does not meet, and why we answer as it does. */
export interface RecordedBehaviour {
  /** Id of the probe. */
  readonly probe: string
  readonly reason: string
}

/** Where recorded answers of httpd and the RFC disagree, the answers win. Nothing else may be in this list: httpd itself has to fail the probe. */
export const RECORDED_HTTPD: readonly RecordedBehaviour[] = [
  {
    probe: 'target/https-without-tls',
    reason: 'both schemes name the site of the connection: behind a proxy that ends TLS, clients of it may well say https',
  },
  {
    probe: 'target/empty-host',
    reason: 'a target that names no host is as good as one without a host: it is for the site that serves what no name fits',
  },
  {
    probe: 'none-match/wins',
    reason: 'a date that was sent must agree as well, so there are fewer 304 than there could be, and never a wrong one',
  },
  {
    probe: 'match/wins',
    reason: 'a date that was sent must agree as well, so there are more 412 than there need be, and never a wrong success',
  },
  { probe: 'range/head', reason: 'HEAD is told the head that the same GET would get, ranges included' },
  { probe: 'range/post', reason: 'POST of a file is served as GET, ranges included' },
]
