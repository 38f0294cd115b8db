import t from 'tap'
import { byteAmount, kilobyteAmount, shortNumber } from '../src/number-format.ts'
import { uptimeWords } from '../src/time-format.ts'

const NUMBERS: readonly (readonly [value: number, text: string, digits?: number])[] = [
  [0, '0'],
  [1, '1'],
  [7, '7'],
  [0.76, '.76'],
  [0.04, '.04'],
  [0.01, '.01'],
  [3 / 7, '.428571'],
  [18_432 / 7, '2633.14'],
  [18_432, '18432'],
  [1638.4, '1638.4'],
  [10_000, '10000'],
  [100_000, '1.e+5'],
  [120_000, '120000'],
  [1_000_000, '1.e+6'],
  [1_234_567, '1234570'],
  [123_456_789, '123457000'],
  [1_500_000_000, '1.5e+9'],
  [0.0001, '.0001'],
  [0.00005, '5.e-5'],
  [0.000012345, '1.2345e-5'],
  [-0.5, '-.5'],
  [0.9999999, '1'],
  [0.76, '.76', 3],
  [0.0416, '.0416', 3],
  [12.3456, '12.3', 3],
  [123.456, '123', 3],
  [1234.5, '1230', 3],
]

for (const [value, text, digits] of NUMBERS) {
  t.test(`${value}${digits === undefined ? '' : ` with ${digits} digits`} is written ${text}`, async (t) => {
    t.equal(shortNumber(value, digits), text)
  })
}

const BYTES: readonly (readonly [bytes: number, text: string])[] = [
  [0, '0 B'],
  [1597.9, '1597 B'],
  [5119, '5119 B'],
  [5120, '5.0 kB'],
  [524_287, '512.0 kB'],
  [524_288, '0.5 MB'],
  [536_870_911, '512.0 MB'],
  [536_870_912, '0.5 GB'],
]

for (const [bytes, text] of BYTES) {
  t.test(`${bytes} bytes are ${text}`, async (t) => {
    t.equal(byteAmount(bytes), text)
  })
}

const KILOBYTES: readonly (readonly [kilobytes: number, text: string])[] = [
  [0, '0 kB'],
  [1023, '1023 kB'],
  [1024, '1.0 MB'],
  [1_048_575, '1024.0 MB'],
  [1_048_576, '1.0 GB'],
]

for (const [kilobytes, text] of KILOBYTES) {
  t.test(`${kilobytes} kilobytes are ${text}`, async (t) => {
    t.equal(kilobyteAmount(kilobytes), text)
  })
}

const UPTIMES: readonly (readonly [seconds: number, text: string])[] = [
  [0, ''],
  [1, ' 1 second'],
  [25, ' 25 seconds'],
  [61, ' 1 minute 1 second'],
  [3600, ' 1 hour'],
  [90_061, ' 1 day 1 hour 1 minute 1 second'],
  [172_802, ' 2 days 2 seconds'],
]

for (const [seconds, text] of UPTIMES) {
  t.test(`an uptime of ${seconds} s is "${text}"`, async (t) => {
    t.equal(uptimeWords(seconds), text)
  })
}
