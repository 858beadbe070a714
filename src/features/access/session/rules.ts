/** The name the top bar greets with: 'Dana Whitlock' and 'Whitlock, Dana' are both Dana. */
export const firstNameOf = (name: string): string => {
  const [last = '', given] = name.split(',')
  const words = (given?.trim() || last).trim().split(/\s+/)
  return words[0] ?? ''
}
