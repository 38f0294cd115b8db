// Files that the bundle contains as texts.
declare module '*.types' {
  const text: string
  export default text
}
// Libraries that have the form of Node's modules, without types of their own.
declare module 'events/' {
  export { EventEmitter as default } from 'node:events'
}
declare module 'path-browserify' {
  export { default } from 'node:path'
}
declare module 'readable-stream' {
  export { default } from 'node:stream'
}
