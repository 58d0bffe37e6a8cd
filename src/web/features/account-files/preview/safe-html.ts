import createPurifier from 'dompurify'

export interface SafeHtml {
  html: string
  /** Pictures on the web that are not loaded, because their servers would learn who reads the file. */
  remoteImages: number
}

const REMOTE = /^\s*(https?:)?\/\//i

/**
 * HTML of a file without scripts, forms, embedded content, links and remote pictures. `pictures` are those of an email by their content id,
 * as data addresses.
 */
export function safeHtml(html: string, pictures: ReadonlyMap<string, string> = new Map()): SafeHtml {
  const purifier = createPurifier(window)
  let remoteImages = 0
  purifier.addHook('afterSanitizeAttributes', (element) => {
    // A link would load its page into the frame. Its address is shown instead.
    const href = element.getAttribute('href')
    if (href !== null && !href.startsWith('#')) {
      element.removeAttribute('href')
      element.setAttribute('title', href)
    }
    for (const name of ['src', 'background']) {
      const address = element.getAttribute(name)
      if (address === null || /^data:image\//i.test(address)) continue
      const picture = pictures.get(address.replace(/^cid:/i, ''))
      if (REMOTE.test(address)) remoteImages += 1
      if (picture !== undefined && name === 'src') element.setAttribute('src', picture)
      else element.removeAttribute(name)
    }
    element.removeAttribute('srcset')
  })
  const clean = purifier.sanitize(html, {
    USE_PROFILES: { html: true },
    FORCE_BODY: true,
    ADD_DATA_URI_TAGS: ['img'],
    ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|cid:|data:image\/|#|\/\/)/i,
    FORBID_TAGS: ['form', 'input', 'button', 'select', 'textarea', 'video', 'audio', 'source', 'picture', 'map', 'area'],
    FORBID_ATTR: ['autofocus', 'ping', 'target', 'poster'],
  })
  return { html: clean, remoteImages }
}
