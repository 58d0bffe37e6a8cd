export interface Letter {
  /** One address. */
  to: string
  subject: string
  text: string
  html: string
  /** Makes the Message-ID: the same letter sent twice is recognised as one. */
  key: string
}

/** Where mail goes: a server, or a folder of .eml files. */
export interface Mail {
  kind: 'smtp' | 'outbox'
  send(letter: Letter): Promise<void>
  close(): Promise<void>
}
