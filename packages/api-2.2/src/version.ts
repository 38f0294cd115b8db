/** Version of the former module API. This line is frozen and gets no additions. */
export const API_VERSION = '2.2.43'

/** Magic cookie of the former line; hosts of the 2.4 line require AP24. */
export const MODULE_MAGIC_COOKIE = 'AP22'

/** httpd's module magic number of the 2.2 line. */
export const MODULE_MAGIC_NUMBER_MAJOR = 20051115
