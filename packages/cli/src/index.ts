export { httpd } from './httpd.ts'
export { type HttpdOptions, parseOptions, type Request, type Verb } from './options.ts'
export { usage } from './usage.ts'
