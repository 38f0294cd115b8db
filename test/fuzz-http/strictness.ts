/** As HttpProtocolOptions says. */
export const STRICTNESSES = ['Strict', 'Unsafe'] as const
export type Strictness = (typeof STRICTNESSES)[number]
