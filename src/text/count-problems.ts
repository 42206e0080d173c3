/** `1 problem`, `2 problems` */
export function countProblems({ length }: readonly unknown[]): string {
  return length === 1 ? '1 problem' : `${length.toLocaleString('en')} problems`
}
