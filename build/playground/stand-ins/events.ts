import EventEmitter from 'events/'

export { EventEmitter, EventEmitter as default }

export async function once(emitter: InstanceType<typeof EventEmitter>, name: string): Promise<unknown[]> {
  return new Promise((resolve) => emitter.once(name, (...values: unknown[]) => resolve(values)))
}
