export const languages = ['nl', 'fr', 'en', 'de'] as const

export type Language = (typeof languages)[number]

/** Phrases by language. A position means the same in each. */
export type Words = Readonly<Record<Language, readonly string[]>>

export function toLanguage(locale: string): Language {
  const prefix = locale.split(/[-_]/)[0]
  return languages.find((language) => language === prefix) ?? 'en'
}

export const forms = words(`
  tabletten / comprimés / tablets / Tabletten
  filmomhulde tabletten / comprimés pelliculés / film-coated tablets / Filmtabletten
  bruistabletten / comprimés effervescents / effervescent tablets / Brausetabletten
  zuigtabletten / pastilles à sucer / lozenges / Lutschtabletten
  capsules / gélules / capsules / Kapseln
  siroop / sirop / syrup / Sirup
  druppels / gouttes / drops / Tropfen
  oogdruppels / gouttes ophtalmiques / eye drops / Augentropfen
  neusspray / spray nasal / nasal spray / Nasenspray
  crème / crème / cream / Creme
  zalf / pommade / ointment / Salbe
  gel / gel / gel / Gel
  lotion / lotion / lotion / Lotion
  olie / huile / oil / Öl
  shampoo / shampooing / shampoo / Shampoo
  poeder / poudre / powder / Pulver
  zakjes / sachets / sachets / Beutel
  pleisters / pansements / plasters / Pflaster
  kompressen / compresses / compresses / Kompressen
  zetpillen / suppositoires / suppositories / Zäpfchen
  ampullen / ampoules / ampoules / Ampullen
  thee / tisane / herbal tea / Kräutertee
`)

export const purposes = words(`
  droge huid / peau sèche / dry skin / trockene Haut
  gevoelige huid / peau sensible / sensitive skin / empfindliche Haut
  geïrriteerde huid / peau irritée / irritated skin / gereizte Haut
  droge hoest / toux sèche / dry cough / Reizhusten
  vette hoest / toux grasse / chesty cough / verschleimter Husten
  verstopte neus / nez bouché / blocked nose / verstopfte Nase
  keelpijn / mal de gorge / sore throat / Halsschmerzen
  hoofdpijn / maux de tête / headache / Kopfschmerzen
  spierpijn / douleurs musculaires / muscle pain / Muskelschmerzen
  zware benen / jambes lourdes / heavy legs / schwere Beine
  brandend maagzuur / brûlures d'estomac / heartburn / Sodbrennen
  trage spijsvertering / digestion lente / slow digestion / träge Verdauung
  reisziekte / mal des transports / travel sickness / Reisekrankheit
  hooikoorts / rhume des foins / hay fever / Heuschnupfen
  slaapproblemen / troubles du sommeil / trouble sleeping / Schlafprobleme
  vermoeidheid / fatigue passagère / fatigue / Müdigkeit
  insectenbeten / piqûres d'insectes / insect bites / Insektenstiche
  droge ogen / yeux secs / dry eyes / trockene Augen
  gevoelige tanden / dents sensibles / sensitive teeth / empfindliche Zähne
  roos / pellicules / dandruff / Schuppen
  haaruitval / chute de cheveux / hair loss / Haarausfall
  kloven / crevasses / cracked skin / Hautrisse
  zuigelingen / bébés et jeunes enfants / babies and infants / Säuglinge und Kleinkinder
  zonbescherming / protection solaire / sun protection / Sonnenschutz
`)

export const features = words(`
  met aloë vera / à l'aloe vera / with aloe vera / mit Aloe vera
  met vitamine C / à la vitamine C / with vitamin C / mit Vitamin C
  zonder suiker / sans sucre / sugar free / zuckerfrei
  zonder parfum / sans parfum / fragrance free / ohne Duftstoffe
  zonder bewaarmiddel / sans conservateur / preservative free / ohne Konservierungsmittel
  met citroensmaak / goût citron / lemon flavour / mit Zitronengeschmack
  met aardbeiensmaak / goût fraise / strawberry flavour / mit Erdbeergeschmack
  met kamille-extract / à l'extrait de camomille / with chamomile extract / mit Kamillenextrakt
  met magnesium / au magnésium / with magnesium / mit Magnesium
  op basis van zoete amandel / à base d'amande douce / with sweet almond / auf Basis von Süßmandel
  met dexpanthenol 5% / au dexpanthénol 5% / with dexpanthenol 5% / mit Dexpanthenol 5%
  voor de hele familie / pour toute la famille / for the whole family / für die ganze Familie
  geschikt vanaf 6 jaar / dès 6 ans / from 6 years / ab 6 Jahren
  extra sterk / extra fort / extra strong / extra stark
  kleur- en glutenvrij / sans colorant ni gluten / free from colours and gluten / farbstoff- und glutenfrei
  in hersluitbare verpakking / en emballage refermable / resealable pack / wiederverschließbar
`)

export const ingredients = words(`
  ascorbinezuur / acide ascorbique / ascorbic acid / Ascorbinsäure
  paracetamol / paracétamol / paracetamol / Paracetamol
  ibuprofen / ibuprofène / ibuprofen / Ibuprofen
  magnesiumcitraat / citrate de magnésium / magnesium citrate / Magnesiumcitrat
  zinkgluconaat / gluconate de zinc / zinc gluconate / Zinkgluconat
  ijzerfumaraat / fumarate ferreux / ferrous fumarate / Eisenfumarat
  calciumcarbonaat / carbonate de calcium / calcium carbonate / Calciumcarbonat
  colecalciferol / colécalciférol / colecalciferol / Colecalciferol
  foliumzuur / acide folique / folic acid / Folsäure
  natriumchloride / chlorure de sodium / sodium chloride / Natriumchlorid
  natriumalginaat / alginate de sodium / sodium alginate / Natriumalginat
  dexpanthenol / dexpanthénol / dexpanthenol / Dexpanthenol
  cetirizine / cétirizine / cetirizine / Cetirizin
  loperamide / lopéramide / loperamide / Loperamid
  macrogol / macrogol / macrogol / Macrogol
  xylometazoline / xylométazoline / xylometazoline / Xylometazolin
  chloorhexidine / chlorhexidine / chlorhexidine / Chlorhexidin
  melatonine / mélatonine / melatonin / Melatonin
  ureum / urée / urea / Harnstoff
  hyaluronzuur / acide hyaluronique / hyaluronic acid / Hyaluronsäure
`)

export const categories = words(`
  Schoonheid en verzorging / Beauté et soins / Beauty and care / Schönheit und Pflege
  Gezichtsverzorging / Soins du visage / Face care / Gesichtspflege
  Voeten en benen / Pieds et jambes / Feet and legs / Füße und Beine
  Haar / Cheveux / Hair / Haare
  Mond en tanden / Bouche et dents / Mouth and teeth / Mund und Zähne
  Baby's en kinderen / Bébés et enfants / Babies and children / Babys und Kinder
  Zwangerschap / Grossesse / Pregnancy / Schwangerschaft
  Vitaminen & supplementen / Vitamines & compléments / Vitamins & supplements / Vitamine & Ergänzungen
  Sportvoeding / Nutrition sportive / Sports nutrition / Sporternährung
  Hoest, keel en neus / Toux, gorge et nez / Cough, throat and nose / Husten, Hals und Nase
  Maag en darmen / Estomac et intestins / Stomach and bowels / Magen und Darm
  Pijn en koorts / Douleur et fièvre / Pain and fever / Schmerz und Fieber
  Slaap en stress / Sommeil et stress / Sleep and stress / Schlaf und Stress
  Wondzorg / Soins des plaies / Wound care / Wundversorgung
  EHBO-materiaal / Premiers secours / First aid / Erste Hilfe
  Zon / Soleil / Sun / Sonne
  Oog en oor / Yeux et oreilles / Eye and ear / Auge und Ohr
  Dieren en insecten / Animaux et insectes / Animals and insects / Tiere und Insekten
  Thuiszorg / Soins à domicile / Home care / Häusliche Pflege
  Diagnostiek / Diagnostic / Diagnostics / Diagnostik
`)

export const colors = words(`
  rood / rouge / red / rot
  geel / jaune / yellow / gelb
  groen / vert / green / grün
  blauw / bleu / blue / blau
  wit / blanc / white / weiß
  zwart / noir / black / schwarz
  grijs / gris / grey / grau
  roze / rose / pink / rosa
  oranje / orange / orange / orange
  paars / violet / purple / violett
  bruin / brun / brown / braun
  beige / beige / beige / beige
  zilver / argenté / silver / silber
  doorzichtig / transparent / transparent / durchsichtig
`)

export const diets = words(`
  glutenvrij / sans gluten / gluten free / glutenfrei
  lactosevrij / sans lactose / lactose free / laktosefrei
  suikervrij / sans sucre / sugar free / zuckerfrei
  zoutarm / pauvre en sel / low salt / salzarm
  vegetarisch / végétarien / vegetarian / vegetarisch
  veganistisch / végétalien / vegan / vegan
  halal / halal / halal / halal
  koosjer / casher / kosher / koscher
  zonder soja / sans soja / soy free / ohne Soja
  zonder noten / sans fruits à coque / nut free / ohne Nüsse
`)

export const speciesNames = words(`
  Mens / Humain / Human / Mensch
  Diergeneeskundig / Vétérinaire / Veterinary / Tierarzneilich
  Oppervlakken / Entretien des surfaces / Surface maintenance / Oberflächen
  Gewasbescherming / Phytopharmacie / Phytopharmacy / Pflanzenschutz
`)

export const attributeNames = words(`
  Leeftijd: volwassenen / Âge : adultes / Age: adults / Alter: Erwachsene
  Leeftijd: kinderen / Âge : enfants / Age: children / Alter: Kinder
  Smaak: neutraal / Goût : neutre / Flavour: neutral / Geschmack: neutral
  Huidtype: droog / Type de peau : sèche / Skin type: dry / Hauttyp: trocken
  Huidtype: gemengd / Type de peau : mixte / Skin type: combination / Hauttyp: Mischhaut
  Maat: "small" / Taille : "small" / Size: "small" / Größe: "small"
  Maat: "large" / Taille : "large" / Size: "large" / Größe: "large"
  Latexvrij / Sans latex / Latex free / Latexfrei
`)

/** In the order of `apbCategoryIds`. */
export const apbCategoryNames = words(`
  Specialiteit / Spécialité / Specialty / Spezialität
  Homeopathie / Homéopathie / Homeopathy / Homöopathie
  Stoma en incontinentie / Stomie et incontinence / Ostomy and incontinence / Stoma und Inkontinenz
  Verbanden / Bandages / Bandages / Verbände
  Reagens / Réactif / Reactive / Reagenz
  Hygiëne / Hygiène / Hygiene / Hygiene
  Cosmetica / Cosmétiques / Cosmetics / Kosmetik
  Dieet en voeding / Diététique et nutrition / Diet and nutrition / Diät und Ernährung
  Andere / Autre / Other / Andere
  Biocide / Biocide / Biocide / Biozid
  Medisch hulpmiddel / Dispositif médical / Medical device / Medizinprodukt
  Toebehoren / Accessoire / Accessory / Zubehör
  Landbouwpesticiden / Pesticides agricoles / Agricultural pesticides / Agrarpestizide
  Diagnosticum / Outil de diagnostic / Diagnostic tool / Diagnostikum
  Onbekend / Inconnu / Unknown / Unbekannt
  Materiaal / Matériel / Material / Material
`)

/** In the order of the contract's conservation values. */
export const conservationLabels = words(`
  Kamertemperatuur (15-25 °C) / Température ambiante (15-25 °C) / Room temperature (15-25 °C) / Raumtemperatur (15-25 °C)
  In de koelkast (2-8 °C) / Au réfrigérateur (2-8 °C) / In the refrigerator (2-8 °C) / Im Kühlschrank (2-8 °C)
  Koel bewaren (8-15 °C) / Conserver au frais (8-15 °C) / Keep cool (8-15 °C) / Kühl lagern (8-15 °C)
  In de diepvries (-25 tot -15 °C) / Au congélateur (-25 à -15 °C) / In the freezer (-25 to -15 °C) / Tiefgekühlt (-25 bis -15 °C)
`)

export const supplyReasons = words(`
  Tijdelijk tekort aan grondstof / Pénurie temporaire de matière première / Temporary shortage of raw material / Vorübergehender Rohstoffmangel
  Vertraging in de productie / Retard de production / Production delay / Verzögerung in der Produktion
  Vraag hoger dan voorzien / Demande plus élevée que prévu / Demand higher than expected / Nachfrage höher als erwartet
  Stopzetting om commerciële redenen / Arrêt pour raisons commerciales / Stopped for commercial reasons / Einstellung aus kommerziellen Gründen
`)

export const supplyImpacts = words(`
  Alternatief beschikbaar, zelfde dosering / Alternative disponible, même dosage / Alternative available, same strength / Alternative verfügbar, gleiche Dosierung
  Beperkte levering per apotheek / Livraison limitée par pharmacie / Limited delivery per pharmacy / Begrenzte Lieferung je Apotheke
  Geen alternatief gekend / Pas d'alternative connue / No known alternative / Keine Alternative bekannt
`)

/** Halves of invented brand names, made of common words to avoid real names. */
export const nameStarts = [
  'Heron',
  'Otter',
  'Zeeëgel',
  'Érable',
  'Quartz',
  'Lichen',
  'Merel',
  'Noisette',
  'Vlinder',
  'Roseau',
  'Pebble',
  'Kiezel',
  'Bruyère',
  'Egel',
  'Chêne',
  'Koolmees',
  'Lindebloesem',
  "L'Étang",
  'Grès',
  'Wad',
  'Maïs',
  'Sarcelle',
  'Thistle',
  'Duin',
  'Crécerelle',
]
export const nameEnds = [
  '& Acorn',
  'en Été',
  'Nova',
  '& Tijm',
  "d'Ici",
  'Natuur',
  'Doux',
  '+',
  'Zacht',
  'Quotidien',
  '"Blauw"',
  'Vital',
  'Junior',
  '& Kiem',
  'Confort',
  'Pur',
  'Active',
  'Lente',
  "d'Hiver",
  'Sensitief',
  'Basis',
  'Forêt',
  'Extra',
  'Simple',
]
export const organizationEnds = [
  'Supplies',
  'Distribution',
  'nv',
  'SA',
  'Gezondheid',
  '& Fils',
  'Santé',
  'Groothandel',
  'Care, Ltd.',
  'GmbH',
]
export const streets = ['Voorbeeldstraat', "Rue de l'Exemple", 'Kanaallaan', 'Avenue des Érables', "Quai d'Essai"]
export const cities = ['Voorbeeldgem', 'Exempleville', 'Sint-Testdonk', 'Bois-le-Modèle', 'Proefhoven']
export const regions = ['Noord', 'Région des Étangs', 'Zuid', 'Côte', 'Midden']

/** Parses one meaning per line, with languages separated by ` / ` in the order of `languages`. */
function words(lines: string): Words {
  const rows = lines
    .trim()
    .split('\n')
    .map((line) => line.trim().split(' / '))
  const column = (position: number) => rows.map((row) => row[position] ?? '')
  return { nl: column(0), fr: column(1), en: column(2), de: column(3) }
}
