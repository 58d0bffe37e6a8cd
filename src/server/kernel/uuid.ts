const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The smallest UUID. No record has it, so it matches nothing as an id and starts an iteration over all ids in order. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000'

/** The largest UUID, which no record has either. */
export const MAX_UUID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Whether PostgreSQL accepts the text as a uuid; comparing an id with any other text is an error there. */
export const isUuid = (text: string): boolean => UUID.test(text)
