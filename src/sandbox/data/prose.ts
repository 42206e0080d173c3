import { childSeed, pick } from './seed.ts'
import { features, forms, ingredients, purposes, type Language } from './words.ts'

/** Text in one language, escaped for JSON strings. A position always has the same text. */
export interface Prose {
  readonly sentences: readonly string[]
  /** Parts of a description: a paragraph, list or heading each. */
  readonly html: readonly string[]
  readonly markdown: readonly string[]
}

const sentenceCount = 512
const partCount = 1024

/** Creates the prose of a language. Seeds only choose from it. */
export function createProse(language: Language): Prose {
  const sentences = Array.from({ length: sentenceCount }, (_, position) => writeSentence(language, position))
  const parts = Array.from({ length: partCount }, (_, position) => writePart(language, position, sentences))
  return {
    sentences: sentences.map(toJsonContent),
    html: parts.map(({ html }) => toJsonContent(html)),
    markdown: parts.map(({ markdown }) => toJsonContent(`${markdown}\n\n`)),
  }
}

export function toJsonContent(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

function writeSentence(language: Language, position: number): string {
  const slot = (salt: number) => childSeed(position, salt)
  const template = pick(templates, position)[language]
  return template
    .replace('{form}', pick(forms[language], slot(1)))
    .replace('{purpose}', pick(purposes[language], slot(2)))
    .replace('{feature}', pick(features[language], slot(3)))
    .replace('{ingredient}', pick(ingredients[language], slot(4)))
    .replace('{number}', String(2 + (slot(5) % 23)))
}

interface Part {
  readonly html: string
  readonly markdown: string
}

/**
 * Writes the HTML that descriptions use, with characters that confuse readers of lines and CSV: `"`, `|`, `,`, line
 * breaks.
 */
function writePart(language: Language, position: number, sentences: readonly string[]): Part {
  // Neighbouring sentences have different templates, so a part does not repeat itself.
  const sentence = (place: number) => pick(sentences, childSeed(position, 2) + place)
  const title = pick(purposes[language], childSeed(position, 1))
  const [a, b, c] = [sentence(0), sentence(1), sentence(2)]
  switch (position % 8) {
    case 0:
      return { html: `<h3>${title}</h3><p>${a}</p>`, markdown: `### ${title}\n\n${a}` }
    case 1:
      return { html: `<ul><li>${a}</li><li>${b}</li><li>${c}</li></ul>`, markdown: `- ${a}\n- ${b}\n- ${c}` }
    case 2:
      return { html: `<p><strong>${title}</strong>: ${a} ${b}</p>`, markdown: `**${title}**: ${a} ${b}` }
    case 3:
      return { html: `<p>${a}<br />${b}</p>\n<p>${c}</p>`, markdown: `${a}  \n${b}\n\n${c}` }
    case 4:
      return withLink(a, title, `https://www.example.com/${language}/info?part=${position}&print=1`)
    case 5:
      return { html: `<p>&quot;${title}&quot; | ${a}</p>`, markdown: `"${title}" \\| ${a}` }
    case 6:
      return { html: `<p>${a} <em>${b}</em></p>\r\n<p>${c}</p>`, markdown: `${a} *${b}*\n\n${c}` }
    default:
      return withMark(`${a} ${b}`, position)
  }
}

function withLink(text: string, title: string, url: string): Part {
  return { html: `<p>${text} <a href="${url}">${title}</a></p>`, markdown: `${text} [${title}](${url})` }
}

/** Adds characters beyond Latin-1, but rarely: one of them makes V8 hold its whole line in two bytes a character. */
function withMark(text: string, position: number): Part {
  const marked = position % 128 === 7 ? `${pick(marks, position >> 7)} ${text}` : text
  return { html: `<p>${marked}</p>`, markdown: marked }
}

const marks = ['🌿', '☀️', '👶🏽', '“Tip”', '•', '≥ 18 –', 'Ω-3', '\u200b½ × 2']

type Template = Readonly<Record<Language, string>>

const templates: readonly Template[] = [
  {
    nl: 'Brengt snel verlichting bij {purpose}, {feature}.',
    fr: 'Soulage efficacement en cas de besoin : {purpose}, {feature}.',
    en: 'Brings relief where it is needed: {purpose}, {feature}.',
    de: 'Bringt spürbare Erleichterung: {purpose}, {feature}.',
  },
  {
    nl: 'Gebruik 1 tot 3 maal per dag na de maaltijd, niet langer dan {number} dagen.',
    fr: 'Utiliser 1 à 3 fois par jour après le repas, pas plus de {number} jours.',
    en: 'Use 1 to 3 times a day after a meal, for no longer than {number} days.',
    de: '1 bis 3 Mal täglich nach dem Essen anwenden, nicht länger als {number} Tage.',
  },
  {
    nl: 'Buiten het zicht en bereik van kinderen houden.',
    fr: "Tenir hors de la vue et de la portée des enfants, à l'abri de l'humidité.",
    en: 'Keep out of the sight and reach of children.',
    de: 'Für Kinder unzugänglich aufbewahren.',
  },
  {
    nl: 'Bevat {ingredient} ({number} mg per eenheid) en is geschikt bij {purpose}.',
    fr: 'Contient : {ingredient} ({number} mg par unité) ; convient en cas de : {purpose}.',
    en: 'Contains {ingredient} ({number} mg per unit) and suits {purpose}.',
    de: 'Enthält {ingredient} ({number} mg je Einheit), geeignet bei: {purpose}.',
  },
  {
    nl: "Vraag advies aan uw arts of apotheker als u zwanger bent of 's nachts klachten houdt.",
    fr: "Demandez conseil à votre médecin ou pharmacien si vous êtes enceinte ou si les symptômes persistent jusqu'à la nuit.",
    en: "Ask your doctor or pharmacist if you're pregnant, or if symptoms don't improve.",
    de: 'Fragen Sie Ihren Arzt oder Apotheker, wenn Sie schwanger sind oder die Beschwerden anhalten.',
  },
  {
    nl: 'Niet gebruiken bij overgevoeligheid voor {ingredient} of één van de andere bestanddelen.',
    fr: "Ne pas utiliser en cas d'hypersensibilité à l'un des composants, en particulier : {ingredient}.",
    en: 'Do not use in case of hypersensitivity to {ingredient} or any other component.',
    de: 'Nicht anwenden bei Überempfindlichkeit gegen {ingredient} oder einen anderen Bestandteil.',
  },
  {
    nl: 'De formule, {feature}, werd dermatologisch getest: "zacht én doeltreffend".',
    fr: 'La formule, {feature}, a été testée sous contrôle dermatologique : "douce et efficace".',
    en: 'The formula, {feature}, has been dermatologically tested: "gentle and effective".',
    de: 'Die Formel, {feature}, wurde dermatologisch getestet: "sanft und wirksam".',
  },
  {
    nl: 'Na opening {number} maanden houdbaar; bewaren tussen 15 °C en 25 °C.',
    fr: 'Se conserve {number} mois après ouverture, entre 15 °C et 25 °C.',
    en: 'Keeps for {number} months after opening, between 15 °C and 25 °C.',
    de: 'Nach dem Öffnen {number} Monate haltbar, zwischen 15 °C und 25 °C.',
  },
  {
    nl: 'Een voedingssupplement vervangt geen gevarieerde, evenwichtige voeding.',
    fr: 'Un complément alimentaire ne remplace pas une alimentation variée et équilibrée.',
    en: 'A food supplement does not replace a varied, balanced diet.',
    de: 'Ein Nahrungsergänzungsmittel ersetzt keine ausgewogene, abwechslungsreiche Ernährung.',
  },
  {
    nl: 'Dun aanbrengen op de gereinigde huid en zachtjes inmasseren; contact met de ogen vermijden.',
    fr: 'Appliquer en fine couche sur une peau propre et masser légèrement ; éviter le contact avec les yeux.',
    en: 'Apply a thin layer to clean skin and massage gently; avoid contact with the eyes.',
    de: 'Dünn auf die gereinigte Haut auftragen und sanft einmassieren; Augenkontakt vermeiden.',
  },
  {
    nl: 'Samenstelling: {ingredient}, glycerol, water, citroenzuur (E330) <0,5%.',
    fr: 'Composition : {ingredient}, glycérol, eau, acide citrique (E330) <0,5%.',
    en: 'Composition: {ingredient}, glycerol, water, citric acid (E330) <0.5%.',
    de: 'Zusammensetzung: {ingredient}, Glycerin, Wasser, Zitronensäure (E330) <0,5%.',
  },
  {
    nl: 'Verpakking met {number} stuks, ook als {form} verkrijgbaar.',
    fr: 'Boîte de {number} pièces ; existe aussi en version {form}.',
    en: 'Pack of {number}, also available as {form}.',
    de: 'Packung mit {number} Stück, auch als {form} erhältlich.',
  },
]
