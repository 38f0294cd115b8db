import t from 'tap'
import { Table } from '../src/table.ts'

/** A table without an index, for comparison. */
class Plain {
  readonly entries: [string, string][] = []
  at(name: string): number {
    return this.entries.findIndex(([other]) => other.toLowerCase() === name.toLowerCase())
  }
  get(name: string): string | undefined {
    return this.entries[this.at(name)]?.[1]
  }
  getAll(name: string): string[] {
    return this.entries.filter(([other]) => other.toLowerCase() === name.toLowerCase()).map(([, value]) => value)
  }
  set(name: string, value: string): void {
    const at = this.at(name)
    if (at < 0) return this.add(name, value)
    this.entries[at][1] = value
    for (let index = this.entries.length - 1; index > at; index--)
      if (this.entries[index][0].toLowerCase() === name.toLowerCase()) this.entries.splice(index, 1)
  }
  add(name: string, value: string): void {
    this.entries.push([name, value])
  }
  merge(name: string, value: string): void {
    const at = this.at(name)
    if (at < 0) this.add(name, value)
    else this.entries[at][1] += `, ${value}`
  }
  unset(name: string): void {
    for (let at = this.at(name); at >= 0; at = this.at(name)) this.entries.splice(at, 1)
  }
}

t.test('a table of any length does what a plain list of entries does', (t) => {
  // A fixed sequence of pseudo-random steps, so that failures are reproducible.
  let state = 12345
  const random = (below: number): number => {
    state = (state * 1103515245 + 12345) % 2147483648
    return Math.floor((state / 2147483648) * below)
  }
  for (const names of [3, 40, 90, 400]) {
    const table = new Table()
    const plain = new Plain()
    for (let step = 0; step < 3000; step++) {
      const number = random(names)
      const name = `${random(2) === 0 ? 'Name' : 'nAME'}-${number}`
      const value = String(step)
      const kind = random(9)
      for (const one of [table, plain]) {
        if (kind < 3) one.set(name, value)
        else if (kind < 6) one.add(name, value)
        else if (kind < 7) one.merge(name, value)
        else if (kind === 7 && step % 5 === 0) one.unset(name)
      }
      if (table.get(name) !== plain.get(name)) return t.fail(`get of ${name} after step ${step}`)
      if (step % 50 === 0) t.same(table.getAll(name), plain.getAll(name))
    }
    t.same([...table], plain.entries, `${names} names`)
    t.equal(table.size, plain.entries.length)
    table.clear()
    t.equal(table.get('Name-1'), undefined)
  }
  t.end()
})
