import { createServer, type Server, type Socket } from 'node:net'
import { once } from 'node:events'

/** What a step of the conversation is answered with; undefined accepts it. */
type Answer = (line: string) => string | undefined

export interface SmtpServer {
  url: string
  /** The messages that were accepted. */
  received: { to: string; messageId: string; content: string }[]
  answers: { greeting: Answer; sender: Answer; recipient: Answer; message: Answer }
  /** Ends all connections without an answer. */
  hangUp(): void
  close(): Promise<void>
}

const accept: Answer = () => undefined

/** A mail server on a free port of this machine. Tests replace its answers. */
export async function startSmtpServer(): Promise<SmtpServer> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    converse(smtp, socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const smtp: SmtpServer = {
    url: `smtp://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    received: [],
    answers: { greeting: accept, sender: accept, recipient: accept, message: accept },
    hangUp: () => {
      for (const socket of sockets) socket.destroy()
    },
    close: async () => {
      smtp.hangUp()
      server.close()
      await once(server, 'close')
    },
  }
  return smtp
}

function converse(smtp: SmtpServer, socket: Socket): void {
  const reply = (text: string) => void socket.write(`${text}\r\n`)
  const { answers } = smtp
  let waiting = ''
  let recipient = ''
  let content: string | undefined
  const command = (line: string) => {
    const verb = line.slice(0, 4).toUpperCase()
    if (verb === 'MAIL') return reply(answers.sender(line) ?? '250 OK')
    if (verb === 'RCPT') {
      recipient = /<(.*)>/.exec(line)?.[1] ?? ''
      return reply(answers.recipient(line) ?? '250 OK')
    }
    if (verb === 'DATA') {
      content = ''
      return reply('354 Go on')
    }
    if (verb === 'QUIT') return void socket.end('221 Bye\r\n')
    reply('250 test')
  }
  const end = (message: string) => {
    content = undefined
    const refusal = answers.message(message)
    if (refusal === undefined)
      smtp.received.push({ to: recipient, messageId: /^Message-ID: (.*)\r$/im.exec(message)?.[1] ?? '', content: message })
    reply(refusal ?? '250 Queued')
  }
  socket.on('data', (bytes) => {
    waiting += bytes.toString('latin1')
    for (let at = waiting.indexOf('\r\n'); at >= 0; at = waiting.indexOf('\r\n')) {
      const line = waiting.slice(0, at)
      waiting = waiting.slice(at + 2)
      if (content === undefined) command(line)
      else if (line === '.') end(content)
      else content += `${line}\r\n`
    }
  })
  const greeting = answers.greeting('')
  if (greeting === undefined) reply('220 test ESMTP')
  else socket.end(`${greeting}\r\n`)
}
