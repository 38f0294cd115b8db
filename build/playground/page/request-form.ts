import type { GivenRequest } from '../engine/question-case.ts'
import { byId } from './element.ts'

/** The fields of the request. */
export class RequestForm {
  readonly #method = byId('method', HTMLInputElement)
  readonly #url = byId('url', HTMLInputElement)
  readonly #client = byId('client', HTMLInputElement)
  readonly #user = byId('user', HTMLInputElement)
  readonly #password = byId('password', HTMLInputElement)
  readonly #fields = byId('fields', HTMLTextAreaElement)

  constructor(changed: () => void) {
    for (const field of [this.#method, this.#url, this.#client, this.#user, this.#password, this.#fields])
      field.addEventListener('input', changed)
  }

  get request(): GivenRequest {
    const password = this.#password.value
    return {
      method: this.#method.value.trim() || 'GET',
      url: this.#url.value.trim() || '/',
      fields: this.#fields.value,
      client: this.#client.value.trim() || '127.0.0.1',
      user: this.#user.value,
      password: password === '' ? null : password,
    }
  }

  fill({ method, url, fields, client, user, password }: GivenRequest): void {
    this.#method.value = method
    this.#url.value = url
    this.#fields.value = fields
    this.#client.value = client
    this.#user.value = user
    this.#password.value = password ?? ''
  }
}
