import { createServer, type Socket } from 'node:net'

/** What an authorizer was asked, by the names of the variables. */
export type AuthorizerQuestion = Readonly<Record<string, string>>

/** What it sends: text of its output; or bytes as they are, after which it closes the connection; or nothing, ever. */
export type AuthorizerAnswer = { readonly output: string; readonly stderr?: string } | { readonly bytes: Uint8Array } | 'silence'

/** A FastCGI application in the role of an authorizer, on 127.0.0.1. */
export interface FakeAuthorizer {
  readonly port: number
  /** All that it was asked. */
  readonly questions: readonly AuthorizerQuestion[]
  /** The types of the records of the last question, in their order. */
  readonly recordTypes: readonly number[]
  close(): Promise<void>
}

const BEGIN = 1
const END = 3
const PARAMS = 4
const STDOUT = 6
const STDERR = 7
const HEADER = 8

/** Starts one. @param answerTo what it says to a question */
export async function fakeAuthorizer(answerTo: (question: AuthorizerQuestion) => AuthorizerAnswer): Promise<FakeAuthorizer> {
  const questions: AuthorizerQuestion[] = []
  const recordTypes: number[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // The server that asks may close the connection at any time.
    socket.on('error', () => {})
    let input: Buffer = Buffer.alloc(0)
    let params: Buffer = Buffer.alloc(0)
    socket.on('data', (chunk) => {
      input = Buffer.concat([input, chunk])
      while (input.length >= HEADER && input.length >= sizeOf(input)) {
        const type = input[1]
        const content = input.subarray(HEADER, HEADER + input.readUInt16BE(4))
        input = input.subarray(sizeOf(input))
        if (type === BEGIN) recordTypes.length = 0
        recordTypes.push(type)
        if (type !== PARAMS) continue
        params = Buffer.concat([params, content])
        if (content.length > 0) continue
        const question = questionIn(params)
        questions.push(question)
        send(socket, answerTo(question))
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    questions,
    recordTypes,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}

function send(socket: Socket, answer: AuthorizerAnswer): void {
  if (answer === 'silence') return
  if ('bytes' in answer) return void socket.end(answer.bytes)
  const { output, stderr = '' } = answer
  const parts = stderr === '' ? [] : [recordOf(STDERR, stderr)]
  socket.end(Buffer.concat([...parts, recordOf(STDOUT, output), recordOf(STDOUT, ''), recordOf(END, '\0'.repeat(8))]))
}

/** A record of FastCGI with this text. */
export function recordOf(type: number, text: string): Buffer {
  const header = Buffer.alloc(HEADER)
  header[0] = 1
  header[1] = type
  header.writeUInt16BE(1, 2)
  header.writeUInt16BE(text.length, 4)
  return Buffer.concat([header, Buffer.from(text, 'latin1')])
}

function sizeOf(record: Buffer): number {
  return HEADER + record.readUInt16BE(4) + record[6]
}

function questionIn(bytes: Buffer): AuthorizerQuestion {
  const question: Record<string, string> = {}
  let at = 0
  const length = (): number => {
    const short = bytes[at]
    if (short < 128) {
      at++
      return short
    }
    at += 4
    return bytes.readUInt32BE(at - 4) & 0x7fff_ffff
  }
  while (at < bytes.length) {
    const name = length()
    const value = length()
    question[bytes.toString('latin1', at, at + name)] = bytes.toString('latin1', at + name, at + name + value)
    at += name + value
  }
  return question
}
