/** An attachment of an email, with its bytes. */
export interface EmailAttachment {
  /** Its place among the attachments; several can have the same name. */
  id: number
  name: string
  type: string
  bytes: Uint8Array<ArrayBuffer>
  /** Of pictures in the text. */
  contentId: string | null
}

/** An email as it is shown. */
export interface EmailMessage {
  from: string
  to: string
  cc: string
  /** As the message says it; null without a valid date. */
  date: string | null
  subject: string
  text: string | null
  html: string | null
  attachments: EmailAttachment[]
  /** How many more attachments the message has. */
  unlistedAttachments: number
}

/** Request and answer of the worker. */
export interface EmailRequest {
  bytes: Uint8Array<ArrayBuffer>
}
export type EmailAnswer = { message: EmailMessage } | { failed: true }
