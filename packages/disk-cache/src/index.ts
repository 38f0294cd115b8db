export { ASIDE, BODY_DELAY, bytesOf, HEAD_END, headFile, newBodyName, Places } from './places.ts'
export { commonKeyOf, decodeRecord, encodeRecord, MAX_RECORD, type StoredRecord, urlOf, variantKey, varyNames } from './record.ts'
