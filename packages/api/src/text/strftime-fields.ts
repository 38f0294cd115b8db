import {
  DAY_NAMES,
  isLeapYear,
  MONTH_NAMES,
  offsetText,
  SHORT_DAY_NAMES,
  SHORT_MONTH_NAMES,
  type TimeFields,
  type TimeZoneChoice,
} from './time-fields.ts'
import { createZoneNamer } from './zone-name.ts'

/** Text of one conversion. */
export type FieldText = (fields: TimeFields) => string

/** The meaning of a conversion letter. */
export type Conversion =
  | { readonly kind: 'number'; readonly digits: number; readonly zeros: boolean; readonly value: (fields: TimeFields) => number }
  | { readonly kind: 'text'; readonly value: FieldText }
  | { readonly kind: 'format'; readonly format: string }

/** The conversion of a letter in the C locale, or undefined if there is none. */
export function conversionFor(letter: string, zone: TimeZoneChoice): Conversion | undefined {
  if (letter !== 'Z') return CONVERSIONS.get(letter)
  if (zone === 'utc') return text(() => 'GMT')
  const name = createZoneNamer()
  return text((t) => name(t.ms, t.offset))
}

const CONVERSIONS: ReadonlyMap<string, Conversion> = new Map<string, Conversion>([
  ['a', text((t) => SHORT_DAY_NAMES[t.weekday])],
  ['A', text((t) => DAY_NAMES[t.weekday])],
  ['b', text((t) => SHORT_MONTH_NAMES[t.month])],
  ['B', text((t) => MONTH_NAMES[t.month])],
  ['c', composite('%a %b %e %H:%M:%S %Y')],
  ['C', number(2, (t) => Math.floor(t.year / 100))],
  ['d', number(2, (t) => t.day)],
  ['D', composite('%m/%d/%y')],
  ['e', blankPadded(2, (t) => t.day)],
  ['F', composite('%Y-%m-%d')],
  ['g', number(2, (t) => isoWeek(t).year % 100)],
  ['G', number(1, (t) => isoWeek(t).year)],
  ['h', text((t) => SHORT_MONTH_NAMES[t.month])],
  ['H', number(2, (t) => t.hour)],
  ['I', number(2, hour12)],
  ['j', number(3, (t) => t.yearDay + 1)],
  ['k', blankPadded(2, (t) => t.hour)],
  ['l', blankPadded(2, hour12)],
  ['m', number(2, (t) => t.month + 1)],
  ['M', number(2, (t) => t.minute)],
  ['n', text(() => '\n')],
  ['p', text((t) => (t.hour < 12 ? 'AM' : 'PM'))],
  ['P', text((t) => (t.hour < 12 ? 'am' : 'pm'))],
  ['r', composite('%I:%M:%S %p')],
  ['R', composite('%H:%M')],
  ['s', blankPadded(1, (t) => Math.floor(t.ms / 1000))],
  ['S', number(2, (t) => t.second)],
  ['t', text(() => '\t')],
  ['T', composite('%H:%M:%S')],
  ['u', number(1, (t) => (t.weekday === 0 ? 7 : t.weekday))],
  ['U', number(2, (t) => Math.floor((t.yearDay + 7 - t.weekday) / 7))],
  ['V', number(2, (t) => isoWeek(t).week)],
  ['w', number(1, (t) => t.weekday)],
  ['W', number(2, (t) => Math.floor((t.yearDay + 7 - ((t.weekday + 6) % 7)) / 7))],
  ['x', composite('%m/%d/%y')],
  ['X', composite('%H:%M:%S')],
  ['y', number(2, (t) => t.year % 100)],
  ['Y', number(1, (t) => t.year)],
  ['z', text((t) => offsetText(t.offset))],
  ['%', text(() => '%')],
])

function number(digits: number, value: (fields: TimeFields) => number): Conversion {
  return { kind: 'number', digits, zeros: true, value }
}

function blankPadded(digits: number, value: (fields: TimeFields) => number): Conversion {
  return { kind: 'number', digits, zeros: false, value }
}

function text(value: FieldText): Conversion {
  return { kind: 'text', value }
}

function composite(format: string): Conversion {
  return { kind: 'format', format }
}

function hour12(t: TimeFields): number {
  return t.hour % 12 === 0 ? 12 : t.hour % 12
}

/** ISO 8601: weeks begin on Monday and belong to the year that contains their Thursday. */
function isoWeek(t: TimeFields): { year: number; week: number } {
  const thursday = t.yearDay - ((t.weekday + 6) % 7) + 3
  if (thursday < 0) return weekOf(t.year - 1, thursday + daysIn(t.year - 1))
  const length = daysIn(t.year)
  return thursday >= length ? weekOf(t.year + 1, thursday - length) : weekOf(t.year, thursday)
}

function weekOf(year: number, thursday: number): { year: number; week: number } {
  return { year, week: Math.floor(thursday / 7) + 1 }
}

function daysIn(year: number): number {
  return isLeapYear(year) ? 366 : 365
}
