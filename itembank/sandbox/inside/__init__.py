"""What runs inside the sandbox: imported by the zygote alone, which knows neither Django nor any other part of the product."""
