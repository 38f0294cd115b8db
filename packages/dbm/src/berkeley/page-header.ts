/** Bytes before a page's table of item offsets or, on an overflow page, before its data. */
export const PAGE_HEADER = 26
