const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether the database would take this text for an id; asking it for another one is an error there. */
export const isUuid = (text: string): boolean => UUID.test(text)
