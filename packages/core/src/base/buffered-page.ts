/** In bytes: a page of this length fits into the buffer through which handlers of httpd write. */
export const BUFFERED_PAGE = 8000
