import path from 'path-browserify'

export const { basename, delimiter, dirname, extname, format, isAbsolute, join, normalize, parse, relative, resolve, sep } = path
export const posix = path
export default path
