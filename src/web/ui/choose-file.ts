/** Opens the file chooser of the browser. Calls `onFile` with the chosen file, and not at all if the user cancels. */
export function chooseFile(onFile: (file: File) => void): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.addEventListener('change', () => {
    const file = input.files?.[0]
    if (file !== undefined) onFile(file)
  })
  input.click()
}
