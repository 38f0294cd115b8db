export function forward() {
  return {}
}
