export const EOL = '\n'

export function hostname(): string {
  return 'localhost'
}
export function tmpdir(): string {
  return '/tmp'
}
export function availableParallelism(): number {
  return 1
}
export function loadavg(): number[] {
  return [0, 0, 0]
}
export function networkInterfaces(): Record<string, never> {
  return {}
}
export function userInfo(): { readonly username: string; readonly uid: number } {
  return { username: 'www-data', uid: 1000 }
}
export const constants = {
  errno: { ENOENT: 2, EBADF: 9, EACCES: 13, ENOTDIR: 20, EISDIR: 21, EROFS: 30, ENAMETOOLONG: 36, ELOOP: 40 },
  signals: {},
} as const
